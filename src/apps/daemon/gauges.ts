/** Metrics that are read off when somebody asks, just before the answer is written. */
import type { CatalogSnapshot } from "#catalog";
import type { CertificateSource } from "#certificates";
import type { Freshness } from "#cluster";
import type { RegistrationState, Watchdog } from "#controllers";
import type { CallCount } from "#kube";
import type { Metrics } from "#telemetry";
import type { Gate } from "#webhook";
import type { AnswerTally } from "./replica/answer-tally.ts";

export type Gauged = {
  readonly policies: () => CatalogSnapshot;
  readonly freshness: () => readonly Freshness[];
  readonly ready: () => boolean;
  readonly isLeader: () => boolean;
  readonly registration: () => RegistrationState;
  readonly certificate: () => ReturnType<CertificateSource["current"]>;
  readonly watch: () => Pick<ReturnType<Watchdog["state"]>, "failures" | "opened">;
  readonly calls: () => readonly CallCount[];
  readonly gate: () => Gate | undefined;
  readonly tally: AnswerTally;
  readonly eventsDropped: () => number;
  readonly nowMs: () => number;
};

export function gaugeBeforeScrape(metrics: Metrics, from: Gauged): void {
  const counted = new Map<string, number>();
  metrics.beforeScrape(() => {
    metrics.set("postern_ready", [], Number(from.ready()));
    metrics.set("postern_leader", [], Number(from.isLeader()));
    gaugeGate(metrics, from.gate());
    metrics.set("postern_last_answer_timestamp_seconds", [], (from.tally.lastAnswerMs() ?? 0) / 1000);
    metrics.set(
      "postern_certificate_expiry_timestamp_seconds",
      [],
      (from.certificate()?.notAfterMs ?? 0) / 1000,
    );
    metrics.set("postern_canary_failures", [], from.watch().failures);
    metrics.set("postern_gate_opened", [], Number(from.watch().opened));
    gaugePolicies(metrics, from);
    gaugeRegistration(metrics, from.registration(), from.isLeader());
    gaugeWatches(metrics, from.freshness(), from.nowMs());
    for (const { purpose, method, code, count } of from.calls()) {
      raise(metrics, counted, "postern_api_calls_total", [purpose, method, String(code)], count);
    }
    raise(metrics, counted, "postern_events_dropped_total", [], from.eventsDropped());
  });
}

function gaugeGate(metrics: Metrics, gate: Gate | undefined): void {
  const { queued, active } = gate?.load() ?? { queued: 0, active: 0 };
  metrics.set("postern_admission_queue_length", [], queued);
  metrics.set("postern_admission_lookups_active", [], active);
  metrics.set("postern_event_loop_lag_seconds", [], (gate?.takeLoopLag() ?? 0) / 1000);
}

function gaugeWatches(metrics: Metrics, watches: readonly Freshness[], nowMs: number): void {
  for (const { title, lastContactMs } of watches) {
    const age = lastContactMs === 0 ? Number.POSITIVE_INFINITY : (nowMs - lastContactMs) / 1000;
    metrics.set("postern_watch_age_seconds", [title], age);
  }
}

/** A counter that is kept elsewhere: by what it grew since the last time. */
function raise(
  metrics: Metrics,
  counted: Map<string, number>,
  name: "postern_api_calls_total" | "postern_events_dropped_total",
  ...[labels, count]: [readonly string[], number]
): void {
  const key = `${name} ${labels.join(" ")}`;
  const grown = count - (counted.get(key) ?? 0);
  counted.set(key, count);
  if (grown > 0) metrics.add(name, labels, grown);
}

function gaugePolicies(metrics: Metrics, { policies, registration }: Gauged): void {
  const { entries } = policies();
  const { gaps } = registration();
  const count = (test: (entry: (typeof entries)[number]) => boolean): number => entries.filter(test).length;
  metrics.set(
    "postern_policies",
    ["ready"],
    count(({ readiness }) => readiness.ready),
  );
  metrics.set(
    "postern_policies",
    ["not-ready"],
    count(({ readiness }) => !readiness.ready),
  );
  metrics.set(
    "postern_policies",
    ["kept"],
    count(({ readiness }) => !readiness.ready && readiness.keepsOldProgram),
  );
  metrics.set(
    "postern_policies",
    ["partly-enforced"],
    count(({ key }) => gaps.has(key)),
  );
}

function gaugeRegistration(
  metrics: Metrics,
  { phase, handPatches }: RegistrationState,
  isLeader: boolean,
): void {
  metrics.clear("postern_registration_phase");
  if (!isLeader) return;
  metrics.set("postern_registration_phase", [phase], 1);
  const patched = new Set(handPatches.map(({ configuration, webhook }) => `${configuration} ${webhook}`));
  metrics.set("postern_hand_patched_webhooks", [], patched.size);
}
