/** Door of `telemetry`: metrics, log, events. */
export { createEvents } from "./events.ts";
export { createLog } from "./log.ts";
export { metricTable } from "./metric-table.ts";
export { createMetrics } from "./metrics.ts";
export { createMetricsServer } from "./metrics-server.ts";
export type { EventAbout, Events } from "./events.ts";
export type { Log, LogFields, LogLevel } from "./log.ts";
export type { MetricDefinition, MetricName } from "./metric-table.ts";
export type { Metrics } from "./metrics.ts";
export type { MetricsServer } from "./metrics-server.ts";
