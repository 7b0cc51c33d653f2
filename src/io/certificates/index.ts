/** Door of `certificates`: what the gate serves with, issued, renewed and watched. */
export type { CertificateSource, ServingCertificate } from "./contract.ts";
