/**
 * The metrics of a process. PERF: what is counted for every review is looked up once for each set of labels and then kept,
 * because prom-client makes a key out of the labels at each call.
 */
import { Counter, Gauge, Registry } from "prom-client";
import { FastHistogram } from "./fast-histogram.ts";
import type { MetricDefinition, MetricName } from "./metric-table.ts";
import { metricTable } from "./metric-table.ts";

export type Metrics = {
  /** Label values in the order of the table. */
  readonly add: (name: MetricName, labels: readonly string[], by?: number) => void;
  readonly set: (name: MetricName, labels: readonly string[], value: number) => void;
  readonly observe: (name: MetricName, labels: readonly string[], value: number) => void;
  /** Forgets all values of a gauge: for those whose labels come and go. */
  readonly clear: (name: MetricName) => void;
  /** What is worked out when somebody asks, just before. */
  readonly beforeScrape: (update: () => void) => void;
  /** The text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/** A policy's name is a label; whoever makes more policies than this gets the rest under one name. */
const MAX_SERIES = 2000;
const OTHERS = "(others)";

type Handle = { readonly inc: (by: number) => void } | { readonly observe: (value: number) => void };

export function createMetrics(): Metrics {
  const registry = new Registry();
  const made = new Map(
    metricTable.map((definition) => [definition.name, createMetric(definition, registry)]),
  );
  const handles = new Map<MetricName, Map<string, Handle>>(metricTable.map(({ name }) => [name, new Map()]));
  const updates: (() => void)[] = [];

  function handle(name: MetricName, labels: readonly string[]): Handle {
    const known = handles.get(name) ?? new Map<string, Handle>();
    const key = labels.length === 1 ? (labels[0] ?? "") : labels.join("\n");
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_SERIES && key !== OTHERS)
      return handle(
        name,
        labels.map(() => OTHERS),
      );
    const child = childOf(made.get(name), labels);
    known.set(key, child);
    return child;
  }

  return {
    add(name, labels, by = 1) {
      const child = handle(name, labels);
      if ("inc" in child) child.inc(by);
    },
    set(name, labels, value) {
      const metric = made.get(name);
      if (metric instanceof Gauge) metric.labels(...labels).set(value);
    },
    observe(name, labels, value) {
      const child = handle(name, labels);
      if ("observe" in child) child.observe(value);
    },
    clear: (name) => made.get(name)?.reset(),
    beforeScrape: (update) => {
      updates.push(update);
    },
    text() {
      for (const update of updates) update();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

type Made = Counter | Gauge | FastHistogram;

function createMetric(definition: MetricDefinition, registry: Registry): Made {
  const { name, help, labels, buckets } = definition;
  const options = { name, help, labelNames: [...labels] };
  if (definition.type === "counter") return new Counter({ ...options, registers: [registry] });
  if (definition.type === "gauge") return new Gauge({ ...options, registers: [registry] });
  const histogram = new FastHistogram({ ...options, buckets: [...(buckets ?? [])], registers: [] });
  registry.registerMetric(histogram);
  return histogram;
}

function childOf(metric: Made | undefined, labels: readonly string[]): Handle {
  if (metric instanceof Counter) {
    const child = metric.labels(...labels);
    return { inc: (by) => child.inc(by) };
  }
  if (metric instanceof FastHistogram) return metric.series(labels);
  return { inc: () => undefined };
}
