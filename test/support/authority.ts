/** Certificates for the tests of layers: what the control planes of the end-to-end suites have. */
export { createAuthority } from "../e2e/control-plane/certificates.ts";
export type { Authority, IssuedCertificate } from "../e2e/control-plane/certificates.ts";
