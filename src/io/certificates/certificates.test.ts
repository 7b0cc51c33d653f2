import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tls from "node:tls";
import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { KubeError, type ObjectClient } from "#kube";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import type { ServingCertificate } from "./contract.ts";
import { createFileCertificates } from "./file-certificates.ts";
import { issueAuthority, issueServing } from "./issue.ts";
import { createSecretCertificates } from "./secret-certificates.ts";

const DAY = 86_400_000;
const hosts = ["postern-svc.postern.svc", "127.0.0.1"];

/** One Secret, guarded by resourceVersion. */
function secretStore(): ObjectClient & { secret: JsonObject | undefined; writes: number } {
  const refuse = (status: number, reason: string): never => {
    throw new KubeError({ status, reason, message: reason });
  };
  const unused = () => Promise.reject(new Error("not used"));
  return {
    secret: undefined,
    writes: 0,
    async get() {
      return this.secret ?? refuse(404, "NotFound");
    },
    async create(object) {
      if (this.secret !== undefined) refuse(409, "AlreadyExists");
      this.writes += 1;
      this.secret = versioned(object, this.writes);
      return this.secret;
    },
    async replace(object) {
      const asked = (object["metadata"] as JsonObject)["resourceVersion"];
      if (asked !== ((this.secret ?? {})["metadata"] as JsonObject | undefined)?.["resourceVersion"])
        refuse(409, "Conflict");
      this.writes += 1;
      this.secret = versioned(object, this.writes);
      return this.secret;
    },
    patch: unused,
    apply: unused,
    remove: unused,
    list: () => {
      throw new Error("not used");
    },
  };
}

function versioned(object: JsonObject, version: number): JsonObject {
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), resourceVersion: String(version) } };
}

function sourceOf(secrets: ObjectClient, clock: ReturnType<typeof createFakeClock>, leads: () => boolean) {
  const problems: unknown[] = [];
  const source = createSecretCertificates({
    secrets,
    namespace: "postern",
    name: "postern-tls",
    hosts,
    isLeader: leads,
    clock,
    onProblem: (error) => problems.push(error),
  });
  return { source, problems };
}

/** A real TLS handshake: what the client makes of it. */
function connect(serving: ServingCertificate, ca: string): Promise<string> {
  return new Promise((done) => {
    const server = tls.createServer({ cert: serving.certPem, key: serving.keyPem }, (socket) => socket.end());
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      const socket = tls.connect({ port, host: "127.0.0.1", ca, servername: hosts[0] ?? "" });
      const end = (result: string): void => {
        socket.destroy();
        server.close();
        done(result);
      };
      socket.on("secureConnect", () => end("trusted"));
      socket.on("error", (error) => end(error.message));
    });
  });
}

const current = (source: { current: () => ServingCertificate | undefined }): ServingCertificate => {
  const found = source.current();
  if (found === undefined) throw new Error("no certificate");
  return found;
};

/** Keys are made outside of the fake clock's time. */
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 10));

describe("a certificate in a Secret", () => {
  test("is made once by whoever comes first, trusted, good for its hosts, and read by the others", async () => {
    const secrets = secretStore();
    const clock = createFakeClock(Date.now());
    const [one, two] = [sourceOf(secrets, clock, () => false), sourceOf(secrets, clock, () => false)];
    await Promise.all([one.source.start(), two.source.start()]);
    expect(current(one.source)).toEqual(current(two.source));
    expect(secrets.writes).toBe(1);
    expect(await connect(current(one.source), current(two.source).caPem)).toBe("trusted");
    const leaf = new X509Certificate(current(one.source).certPem);
    for (const host of hosts) expect(leaf.checkHost(host) ?? leaf.checkIP(host)).toBeDefined();
    one.source.stop();
    two.source.stop();
  });

  test("is renewed by the leader before it runs out, and at no moment is one served that is not trusted", async () => {
    const secrets = secretStore();
    const clock = createFakeClock(Date.now());
    const [leader, follower] = [sourceOf(secrets, clock, () => true), sourceOf(secrets, clock, () => false)];
    await leader.source.start();
    await follower.source.start();
    const seen = new Set<string>();
    let before = current(leader.source).caPem;
    for (let day = 0; day < 800; day += 5) {
      clock.jump(5 * DAY);
      for (let look = 0; look < 3; look++) {
        await clock.advance(60_000);
        await settle();
      }
      const served = [current(leader.source), current(follower.source)];
      for (const { certPem, notAfterMs } of served) {
        seen.add(certPem);
        expect(notAfterMs).toBeGreaterThan(clock.nowMs());
        // By what an API server was told the last time, and by what it is told now.
        const leaf = new X509Certificate(certPem);
        for (const ca of [before, current(leader.source).caPem])
          expect(isTrusted(leaf, ca), `day ${day}`).toBe(true);
      }
      before = current(leader.source).caPem;
    }
    expect(seen.size).toBeGreaterThanOrEqual(5);
    expect(leader.problems).toEqual([]);
    leader.source.stop();
    follower.source.stop();
  });

  test("is made anew where what is there cannot be served with", async () => {
    const secrets = secretStore();
    secrets.secret = versioned({ metadata: { name: "postern-tls" }, data: { "tls.crt": "AAAA" } }, 0);
    const clock = createFakeClock(Date.now());
    const { source } = sourceOf(secrets, clock, () => false);
    await source.start();
    expect(await connect(current(source), current(source).caPem)).toBe("trusted");
    source.stop();
  });
});

function isTrusted(leaf: X509Certificate, bundle: string): boolean {
  const authorities = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return authorities.some((pem) => leaf.verify(new X509Certificate(pem).publicKey));
}

describe("a certificate in files", () => {
  test("is read again when it changes, and a pair that does not fit is waited out", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postern-tls-"));
    const at = (name: string): string => join(folder, name);
    const times = { notBeforeMs: Date.now() - DAY, notAfterMs: Date.now() + DAY };
    const authority = await issueAuthority({ commonName: "ca", ...times });
    const [first, second] = await Promise.all([
      issueServing(authority, hosts, { commonName: "one", ...times }),
      issueServing(authority, hosts, { commonName: "two", ...times }),
    ]);
    const clock = createFakeClock();
    const problems: unknown[] = [];
    const source = createFileCertificates({
      cert: at("tls.crt"),
      key: at("tls.key"),
      ca: at("ca.crt"),
      clock,
      onProblem: (error) => problems.push(error),
    });
    await expect(source.start()).rejects.toThrow(/tls\.crt cannot be read/);
    writeFileSync(at("ca.crt"), authority.certPem);
    writeFileSync(at("tls.crt"), first.certPem);
    writeFileSync(at("tls.key"), first.keyPem);
    await source.start();
    expect(await connect(current(source), current(source).caPem)).toBe("trusted");
    writeFileSync(at("tls.crt"), second.certPem);
    await clock.advance(10_000);
    expect(current(source).certPem).toBe(first.certPem);
    expect(problems).toHaveLength(1);
    writeFileSync(at("tls.key"), second.keyPem);
    await clock.advance(10_000);
    expect(current(source).certPem).toBe(second.certPem);
    source.stop();
    rmSync(folder, { recursive: true });
  });
});
