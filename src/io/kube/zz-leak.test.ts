import * as http from "node:http";
import { test } from "vitest";
import { createKubeClient } from "/work/main/src/io/kube/client.ts";
test("leak", async () => {
  const server = http.createServer((_, r) => { r.end("{}"); });
  await new Promise<void>((d) => server.listen(0, "127.0.0.1", d));
  const port = (server.address() as any).port;
  let now = 0;
  const client = createKubeClient({ server: `http://127.0.0.1:${port}`, caPem: () => undefined, insecure: false, serverName: undefined, proxy: undefined, credentials: { current: async () => ({}), refused() {} }, impersonate: undefined, namespace: undefined, source: "x" } as any, { userAgent: "x", nowMs: () => (now += 1000), random: Math.random });
  for (let i = 0; i <= 30000; i++) {
    if (i % 5000 === 0) { (globalThis as any).gc(); await new Promise((d) => setTimeout(d, 50)); (globalThis as any).gc(); console.log(i, Math.round(process.memoryUsage().heapUsed / 1024), Math.round(process.memoryUsage().rss / 1024)); }
    await client.send({ method: "GET", path: "/x", purpose: "command" });
  }
  await new Promise((d) => setTimeout(d, 31000)); (globalThis as any).gc();
  console.log("after", Math.round(process.memoryUsage().heapUsed / 1024));
}, 120000);
