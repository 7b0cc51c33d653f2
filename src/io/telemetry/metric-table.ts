/**
 * Every metric of Postern, as data: what is registered, what the reference page says and what the alerts may use are all
 * made from this table. Names never change their meaning; labels have few values, but for `policy`, which has as many as
 * there are policies and is bounded.
 */
export type MetricName =
  | "postern_admission_reviews_total"
  | "postern_admission_review_duration_seconds"
  | "postern_admission_deadline_margin_seconds"
  | "postern_admission_faults_total"
  | "postern_policy_faults_total"
  | "postern_policy_evaluation_duration_seconds"
  | "postern_policy_results_total"
  | "postern_audit_dropped_total"
  | "postern_admission_queue_length"
  | "postern_admission_lookups_active"
  | "postern_event_loop_lag_seconds"
  | "postern_last_answer_timestamp_seconds"
  | "postern_last_canary_timestamp_seconds"
  | "postern_canary_failures"
  | "postern_ready"
  | "postern_leader"
  | "postern_policies"
  | "postern_registration_phase"
  | "postern_hand_patched_webhooks"
  | "postern_gate_opened"
  | "postern_certificate_expiry_timestamp_seconds"
  | "postern_watch_age_seconds"
  | "postern_api_calls_total"
  | "postern_events_dropped_total";

export type MetricDefinition = {
  readonly name: MetricName;
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence, with the unit. */
  readonly help: string;
  readonly labels: readonly string[];
  /** Of a histogram. */
  readonly buckets?: readonly number[];
};

const LATENCY = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SHORT = [0.00001, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.005, 0.025, 0.1, 1];
const MARGIN = [0, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 10];

export const metricTable: readonly MetricDefinition[] = [
  {
    name: "postern_admission_reviews_total",
    type: "counter",
    help: "Reviews answered, by webhook and answer: allowed, denied, fault (an HTTP error, so that the failurePolicy decides), shed (not looked at)",
    labels: ["webhook", "answer"],
  },
  {
    name: "postern_admission_review_duration_seconds",
    type: "histogram",
    help: "Time from the arrival of a review to its answer, in seconds",
    labels: ["webhook"],
    buckets: LATENCY,
  },
  {
    name: "postern_admission_deadline_margin_seconds",
    type: "histogram",
    help: "Time that was left until the API server would have given up, in seconds; the first bucket is answers that came too late",
    labels: ["webhook"],
    buckets: MARGIN,
  },
  {
    name: "postern_admission_faults_total",
    type: "counter",
    help: "Reviews that were not decided, by code",
    labels: ["webhook", "code"],
  },
  {
    name: "postern_policy_faults_total",
    type: "counter",
    help: "Rules that could not be evaluated, by policy, whatever the answer to the review was",
    labels: ["policy"],
  },
  {
    name: "postern_policy_evaluation_duration_seconds",
    type: "histogram",
    help: "Time that one policy took for one review, without waiting for lookups, in seconds",
    labels: ["policy"],
    buckets: SHORT,
  },
  {
    name: "postern_policy_results_total",
    type: "counter",
    help: "Results of audited rules, by policy and result",
    labels: ["policy", "result"],
  },
  {
    name: "postern_audit_dropped_total",
    type: "counter",
    help: "Reviews whose audit policies were not evaluated because the queue was full",
    labels: [],
  },
  {
    name: "postern_admission_queue_length",
    type: "gauge",
    help: "Reviews that wait to be looked at",
    labels: [],
  },
  {
    name: "postern_admission_lookups_active",
    type: "gauge",
    help: "Reviews that wait for lookups",
    labels: [],
  },
  {
    name: "postern_event_loop_lag_seconds",
    type: "gauge",
    help: "The most that the event loop was late since the last scrape, in seconds",
    labels: [],
  },
  {
    name: "postern_last_answer_timestamp_seconds",
    type: "gauge",
    help: "When a review was answered last, in seconds since 1970; 0 before the first",
    labels: [],
  },
  {
    name: "postern_last_canary_timestamp_seconds",
    type: "gauge",
    help: "When a canary came through the API server last, in seconds since 1970; 0 before the first",
    labels: [],
  },
  {
    name: "postern_canary_failures",
    type: "gauge",
    help: "Canaries in a row that did not come through the API server",
    labels: [],
  },
  {
    name: "postern_ready",
    type: "gauge",
    help: "1 while this replica has compiled the policies that it saw",
    labels: [],
  },
  {
    name: "postern_leader",
    type: "gauge",
    help: "1 while this replica writes registrations and statuses",
    labels: [],
  },
  {
    name: "postern_policies",
    type: "gauge",
    help: "Policies by state: ready, not-ready, partly-enforced, kept (not ready, with an older generation in force)",
    labels: ["state"],
  },
  {
    name: "postern_registration_phase",
    type: "gauge",
    help: "1 for the phase that the registrations are in: waiting, refused, proving, guarding, ignoring; only in the leader",
    labels: ["phase"],
  },
  {
    name: "postern_hand_patched_webhooks",
    type: "gauge",
    help: "Webhooks with a field that somebody changed by hand and that is left alone",
    labels: [],
  },
  {
    name: "postern_gate_opened",
    type: "gauge",
    help: "1 after the watchdog has opened the gate, until somebody closes it",
    labels: [],
  },
  {
    name: "postern_certificate_expiry_timestamp_seconds",
    type: "gauge",
    help: "When the serving certificate runs out, in seconds since 1970",
    labels: [],
  },
  {
    name: "postern_watch_age_seconds",
    type: "gauge",
    help: "Time since the last sign of life from the API server, by what is watched, in seconds",
    labels: ["kind"],
  },
  {
    name: "postern_api_calls_total",
    type: "counter",
    help: "Calls made to the API server, by purpose, method and HTTP status (0: no answer)",
    labels: ["purpose", "method", "code"],
  },
  {
    name: "postern_events_dropped_total",
    type: "counter",
    help: "Events that were not written because of the rate limit or a full queue",
    labels: [],
  },
];
