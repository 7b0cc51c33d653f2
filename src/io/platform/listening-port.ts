/** Which port a server got. */
import type { Server } from "node:net";

import { invariant } from "#diag";

/** Of a server that listens on a TCP port; it is a bug to ask another. */
export function listeningPort(server: Server): number {
  const address = server.address();
  invariant(address !== null && typeof address === "object", "a server that listens on TCP has a port");
  return address.port;
}
