/** Door of `certificates`: what the gate serves with, and what API servers check it by. */
export { createFileCertificates } from "./file-certificates.ts";
export { issueAuthority, issueServing } from "./issue.ts";
export { createSecretCertificates } from "./secret-certificates.ts";
export type { CertificateSource, ServingCertificate } from "./contract.ts";
export type { KeyPair } from "./issue.ts";
