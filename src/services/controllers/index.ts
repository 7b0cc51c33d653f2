/** Door of `controllers`: what the leader keeps right in the cluster. */
export type { Controller, ControllerLog, ControllerPorts, RegistrationOptions, Safety } from "./ports.ts";
