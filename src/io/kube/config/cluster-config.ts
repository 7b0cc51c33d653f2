/**
 * How a cluster is reached, as every kind of configuration comes down to it. Credentials are asked for with each call,
 * because tokens and certificates change while a process runs.
 */

/** What proves who calls. All PEM or plain text; at most one of `token` and `basic`. */
export type Credentials = {
  readonly token?: string;
  readonly basic?: { readonly user: string; readonly password: string };
  readonly certPem?: string;
  readonly keyPem?: string;
};

export type CredentialSource = {
  /**
   * Reads what changed since; cheap when nothing did.
   * @throws Fault `kube/credentials`
   */
  readonly current: () => Promise<Credentials>;
  /** The server did not take these: if they are what is remembered, they are thrown away. */
  readonly refused: (credentials: Credentials) => void;
};

export type ClusterConfig = {
  /** `https://host:port`, perhaps with a path, without a slash at the end. */
  readonly server: string;
  /** PEM; absent where the system's authorities are trusted. Read again when a file changes. */
  readonly caPem: () => string | undefined;
  readonly insecure: boolean;
  /** The name to expect in the server's certificate, where it is not the host's. */
  readonly serverName: string | undefined;
  /** `http://…` or `https://…`; absent where calls go directly. */
  readonly proxy: string | undefined;
  readonly credentials: CredentialSource;
  readonly impersonate:
    | {
        readonly user: string;
        readonly groups: readonly string[];
        readonly uid?: string;
        readonly extra?: Readonly<Record<string, readonly string[]>>;
      }
    | undefined;
  /** Of the context; `undefined` where it names none. */
  readonly namespace: string | undefined;
  /** Where it comes from, for messages: a file and context, or the pod's service account. */
  readonly source: string;
};
