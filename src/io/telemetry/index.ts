/** Door of `telemetry`: what Postern says of itself: metrics, logs, Events. */
export {};
