/**
 * Requests that have arrived and wait to be looked at. While the event loop is in time they do not wait at all (PERF:
 * another turn of the loop for each review took a tenth of its CPU); once it is late they queue up, and those whose
 * webhook is `Fail` are looked at first: when there is more than can be done, `Ignore` work is what gives way. Work is
 * done in slices, so that new requests are read, health is answered and timers fire however long the queue is.
 * INVARIANT: every job is run or shed, exactly once.
 */
export type Job = {
  /** Sheds before the others do. */
  readonly yields: boolean;
  /** `performance.now()` time; a job that is run later than this could not answer in time. */
  readonly dueMs: number;
  readonly run: () => void;
  readonly shed: (why: "full" | "late") => void;
};

export type WorkQueue = {
  readonly push: (job: Job) => void;
  readonly length: () => number;
  /** Jobs are run at once from now on: for the end of a process. */
  readonly drain: () => void;
};

const SLICE_MS = 10;

/**
 * @param limit jobs that wait at one time
 * @param isLate whether the event loop is behind
 */
export function createWorkQueue(limit: number, nowMs: () => number, isLate: () => boolean): WorkQueue {
  const firm: Job[] = [];
  const yielding: Job[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(work);
  }

  function work(): void {
    scheduled = false;
    const end = nowMs() + SLICE_MS;
    for (let job = next(); job !== undefined; job = next()) {
      start(job);
      if (nowMs() > end) break;
    }
    if (firm.length + yielding.length > 0) schedule();
  }

  function start(job: Job): void {
    if (nowMs() > job.dueMs) job.shed("late");
    else job.run();
  }

  function next(): Job | undefined {
    return firm.shift() ?? yielding.shift();
  }

  /** The job that has to go: the newest that yields, or the one that is in hand. */
  function victim(job: Job): Job {
    if (job.yields) return job;
    const other = yielding.pop();
    if (other === undefined) return job;
    firm.push(job);
    return other;
  }

  return {
    push(job) {
      if (firm.length + yielding.length === 0 && !isLate()) {
        start(job);
        return;
      }
      if (firm.length + yielding.length >= limit) victim(job).shed("full");
      else (job.yields ? yielding : firm).push(job);
      schedule();
    },
    length: () => firm.length + yielding.length,
    drain() {
      for (let job = next(); job !== undefined; job = next()) job.run();
    },
  };
}
