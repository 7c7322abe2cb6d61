import type { Log } from '../log/log.ts';
import type { Leases } from './leases.ts';

export const jobLimits = {
  /** How long a killed process blocks its jobs for others. */
  jobLeaseMs: 30_000,
} as const;

/** Background work that repeats, in one of the processes that share the store. */
export interface PeriodicJob {
  readonly name: string;
  readonly everyMs: number;
  /** Ends early, between two steps, when the signal aborts: the program stops, or another process has taken over. */
  run(signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  start(): void;
  /** Runs a job now, unless it is running. Resolves when that run is over. */
  runNow(name: string): Promise<void>;
  /** Starts no more jobs, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  readonly leases: Leases;
  readonly log: Log;
  /** From 0 to 1, exclusive. */
  readonly random?: () => number;
}

export function createJobs({ leases, log, random = Math.random }: JobsDeps, jobs: readonly PeriodicJob[]): Jobs {
  const stopping = new AbortController();
  const timers = new Map<PeriodicJob, NodeJS.Timeout>();
  const running = new Map<PeriodicJob, Promise<void>>();

  async function run(job: PeriodicJob): Promise<void> {
    try {
      await leases.hold(`job:${job.name}`, jobLimits.jobLeaseMs, (lost) =>
        job.run(AbortSignal.any([lost, stopping.signal])),
      );
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ job: job.name, err: error }, 'a background job failed');
    }
  }

  function runOnce(job: PeriodicJob): Promise<void> {
    const present = running.get(job);
    if (present !== undefined) return present;
    const started = run(job).finally(() => running.delete(job));
    running.set(job, started);
    return started;
  }

  /** The delay starts at the end of a run, so that a job never overlaps with itself. */
  function schedule(job: PeriodicJob, delayMs: number): void {
    if (stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      void runOnce(job).then(() => schedule(job, job.everyMs * (0.9 + random() * 0.2)));
    }, delayMs);
    timer.unref();
    timers.set(job, timer);
  }

  return {
    start() {
      // A random delay, so that processes that start together do not all ask the store together.
      for (const job of jobs) schedule(job, job.everyMs * random());
    },
    async runNow(name) {
      const job = jobs.find((candidate) => candidate.name === name);
      if (job === undefined) throw new Error(`bug: unknown job ${name}`);
      if (!stopping.signal.aborted) await runOnce(job);
    },
    async stop() {
      stopping.abort(new Error('the program is shutting down'));
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
