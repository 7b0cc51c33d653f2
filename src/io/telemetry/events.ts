/**
 * Events on the objects that they are about, few of them: the same event again within ten minutes is not written again,
 * and there is a limit on all. An event tells somebody to look; counting is what metrics are for.
 * SPEC: core/v1 Event (kubectl shows these with the object).
 */
import type { JsonObject } from "#json";
import type { ObjectClient } from "#kube";
import type { Clock } from "#platform";

export type EventAbout = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
};

export type Events = {
  readonly emit: (about: EventAbout, type: "Normal" | "Warning", reason: string, message: string) => void;
  readonly dropped: () => number;
};

export type EventOptions = {
  /** Purpose `event`. */
  readonly events: ObjectClient;
  /** Where events about what has no namespace are written. */
  readonly namespace: string;
  readonly component: string;
  readonly instance: string;
  readonly clock: Clock;
};

const AGAIN_AFTER_MS = 600_000;
const MAX_REMEMBERED = 1000;
const MAX_WAITING = 50;
const MAX_MESSAGE = 1000;

export function createEvents(options: EventOptions): Events {
  const { clock, events } = options;
  const lastMs = new Map<string, number>();
  let waiting = 0;
  let dropped = 0;
  let count = 0;

  function isNew(key: string): boolean {
    const now = clock.nowMs();
    const seen = lastMs.get(key);
    if (seen !== undefined && now - seen < AGAIN_AFTER_MS) return false;
    if (lastMs.size >= MAX_REMEMBERED) lastMs.clear();
    lastMs.set(key, now);
    return true;
  }

  return {
    emit(about, type, reason, message) {
      if (!isNew(`${about.uid} ${about.name} ${reason} ${message}`)) return;
      if (waiting >= MAX_WAITING) {
        dropped += 1;
        return;
      }
      waiting += 1;
      count += 1;
      const event = eventOf(options, { about, type, reason, message }, count);
      events.create(event).then(
        () => (waiting -= 1),
        () => {
          waiting -= 1;
          dropped += 1;
        },
      );
    },
    dropped: () => dropped,
  };
}

type Told = {
  readonly about: EventAbout;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
};

function eventOf(options: EventOptions, { about, type, reason, message }: Told, count: number): JsonObject {
  const now = options.clock.nowMs();
  const time = new Date(now).toISOString();
  const namespace = about.namespace || options.namespace;
  const suffix = `${now.toString(16)}${count.toString(16)}`;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${about.name.slice(0, 200)}.${suffix}`, namespace },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name: about.name,
      ...(about.namespace === "" ? {} : { namespace: about.namespace }),
      ...(about.uid === "" ? {} : { uid: about.uid }),
    },
    type,
    reason,
    message: message.slice(0, MAX_MESSAGE),
    source: { component: options.component },
    reportingComponent: options.component,
    reportingInstance: options.instance,
    firstTimestamp: time.replace(/\.\d+Z$/, "Z"),
    lastTimestamp: time.replace(/\.\d+Z$/, "Z"),
    count: 1,
  };
}
