/**
 * The certificate that the gate serves with and the authority that API servers check it by, whoever made them: Postern
 * itself (kept in a Secret) or somebody else (files, as cert-manager mounts them).
 */
export type ServingCertificate = {
  /** PEM: the leaf, then what is between it and the authority. */
  readonly certPem: string;
  readonly keyPem: string;
  /** PEM of every authority to be trusted now: the `caBundle` of a webhook. */
  readonly caPem: string;
  /** Clock times, milliseconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
};

export type CertificateSource = {
  /** Resolves once there is a certificate to serve with. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
  readonly current: () => ServingCertificate | undefined;
  readonly onChange: (listener: (certificate: ServingCertificate) => void) => void;
};
