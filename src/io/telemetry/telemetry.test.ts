import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createEvents } from "./events.ts";
import { createLog } from "./log.ts";
import { metricTable } from "./metric-table.ts";
import { createMetrics } from "./metrics.ts";
import { createMetricsServer } from "./metrics-server.ts";

describe("metrics", () => {
  test("count what they are told, in the text format", async () => {
    const metrics = createMetrics();
    metrics.add("postern_admission_reviews_total", ["fail", "denied"]);
    metrics.add("postern_admission_reviews_total", ["fail", "denied"], 2);
    metrics.set("postern_ready", [], 1);
    for (const value of [0.0005, 0.004, 0.004, 99]) {
      metrics.observe("postern_admission_review_duration_seconds", ["fail"], value);
    }
    const text = await metrics.text();
    expect(text).toContain('postern_admission_reviews_total{webhook="fail",answer="denied"} 3');
    expect(text).toContain("postern_ready 1");
    expect(text).toContain('postern_admission_review_duration_seconds_bucket{le="0.0005",webhook="fail"} 1');
    expect(text).toContain('postern_admission_review_duration_seconds_bucket{le="0.005",webhook="fail"} 3');
    expect(text).toContain('postern_admission_review_duration_seconds_bucket{le="10",webhook="fail"} 3');
    expect(text).toContain('postern_admission_review_duration_seconds_bucket{le="+Inf",webhook="fail"} 4');
    expect(text).toContain('postern_admission_review_duration_seconds_count{webhook="fail"} 4');
    expect(text).toContain("# TYPE postern_admission_review_duration_seconds histogram");
  });

  test("ask before a scrape, and forget what is cleared", async () => {
    const metrics = createMetrics();
    let phase = "proving";
    metrics.beforeScrape(() => {
      metrics.clear("postern_registration_phase");
      metrics.set("postern_registration_phase", [phase], 1);
    });
    expect(await metrics.text()).toContain('postern_registration_phase{phase="proving"} 1');
    phase = "guarding";
    const text = await metrics.text();
    expect(text).toContain('postern_registration_phase{phase="guarding"} 1');
    expect(text).not.toContain('phase="proving"');
  });

  test("put the policies that are too many under one name", async () => {
    const metrics = createMetrics();
    for (let count = 0; count < 2100; count++) metrics.add("postern_policy_faults_total", [`p${count}`]);
    const text = await metrics.text();
    expect(text.match(/^postern_policy_faults_total/gm)).toHaveLength(2001);
    expect(text).toContain('postern_policy_faults_total{policy="(others)"} 100');
  });

  test("have names, types and sentences that stand for themselves", () => {
    for (const { name, type, help, buckets } of metricTable) {
      expect(name).toMatch(type === "counter" ? /_total$/ : /^postern_[a-z_]+$/);
      expect(help).toMatch(/^[A-Z0-9].*[^.]$/);
      expect(buckets === undefined).toBe(type !== "histogram");
    }
    expect(new Set(metricTable.map(({ name }) => name)).size).toBe(metricTable.length);
  });

  test("are served beside health that does not lie", async () => {
    let ready = false;
    const server = createMetricsServer({
      host: "127.0.0.1",
      port: 0,
      metrics: createMetrics(),
      readiness: () => ({ ready, reasons: ["namespaces: not listed yet"] }),
    });
    const port = await server.start();
    const get = async (path: string): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      return [answer.status, await answer.text()];
    };
    expect(await get("/health/readiness")).toEqual([503, "namespaces: not listed yet\n"]);
    ready = true;
    expect(await get("/health/readiness")).toEqual([200, "ok\n"]);
    expect(await get("/health/liveness")).toEqual([200, "ok\n"]);
    expect((await get("/metrics"))[1]).toContain("# HELP postern_ready");
    expect((await get("/"))[0]).toBe(404);
    server.stop();
  });
});

test("the log writes one JSON line, and nothing below its level", () => {
  const lines: string[] = [];
  const log = createLog("warn", (line) => lines.push(line));
  log.info("quiet");
  log.warn("loud", { policy: "p" });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "warn", message: "loud", policy: "p" });
});

describe("events", () => {
  const about = { apiVersion: "v1", kind: "Namespace", name: "postern", namespace: "", uid: "u" };

  function setUp(create: () => Promise<JsonObject>) {
    const made: JsonObject[] = [];
    const clock = createFakeClock();
    const unused = () => Promise.reject(new Error("not used"));
    const events = createEvents({
      events: {
        create: (object) => {
          made.push(object);
          return create();
        },
        get: unused,
        replace: unused,
        patch: unused,
        apply: unused,
        remove: unused,
        list: () => {
          throw new Error("not used");
        },
      },
      namespace: "postern",
      component: "postern",
      instance: "r1",
      clock,
    });
    return { made, clock, events };
  }

  test("are written on their object, and the same again only after ten minutes", async () => {
    const { made, clock, events } = setUp(async () => ({}));
    for (let count = 0; count < 3; count++) events.emit(about, "Warning", "GateUnreachable", "no canary");
    await clock.advance(0);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({
      kind: "Event",
      metadata: { namespace: "postern" },
      involvedObject: { kind: "Namespace", name: "postern", uid: "u" },
      type: "Warning",
      reason: "GateUnreachable",
    });
    await clock.advance(600_000);
    events.emit(about, "Warning", "GateUnreachable", "no canary");
    expect(made).toHaveLength(2);
  });

  test("are dropped and counted where too many wait, or the server takes none", async () => {
    const stuck = setUp(() => new Promise(() => undefined));
    for (let count = 0; count < 60; count++) stuck.events.emit(about, "Warning", "R", `m${count}`);
    expect([stuck.made.length, stuck.events.dropped()]).toEqual([50, 10]);
    const refused = setUp(() => Promise.reject(new Error("no")));
    refused.events.emit(about, "Warning", "R", "m");
    await refused.clock.advance(0);
    expect(refused.events.dropped()).toBe(1);
  });
});
