import { type Clock, systemClock } from '../clock/clock.ts';
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

/** What is known in this process; another one may have run the job in between. */
export interface JobStatus {
  readonly name: string;
  readonly everyMs: number;
  /** `elsewhere`: another process held the lease at the last attempt. */
  readonly state: 'waiting' | 'running' | 'elsewhere';
  /** Of the last run in this process. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Why the last run failed; missing after a success. */
  readonly error?: string;
}

export interface Jobs {
  start(): void;
  status(): readonly JobStatus[];
  /** Runs a job now, unless it is running. Resolves when that run is over. */
  runNow(name: string): Promise<void>;
  /** Starts no more jobs, and resolves when the running ones have ended. */
  stop(): Promise<void>;
}

export interface JobsDeps {
  readonly leases: Leases;
  readonly log: Log;
  readonly clock?: Pick<Clock, 'now'>;
  /** From 0 to 1, exclusive. */
  readonly random?: () => number;
}

type Attempt = Omit<JobStatus, 'name' | 'everyMs'>;

const errorChars = 300;

const toText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, errorChars);

export function createJobs(
  { leases, log, clock = systemClock, random = Math.random }: JobsDeps,
  jobs: readonly PeriodicJob[],
): Jobs {
  const stopping = new AbortController();
  const timers = new Map<PeriodicJob, NodeJS.Timeout>();
  const running = new Map<PeriodicJob, Promise<void>>();
  const attempts = new Map<PeriodicJob, Attempt>();

  async function run(job: PeriodicJob): Promise<void> {
    const before = attempts.get(job);
    const startedAt = clock.now();
    try {
      const hasRun = await leases.hold(`job:${job.name}`, jobLimits.jobLeaseMs, async (lost) => {
        attempts.set(job, { state: 'running', startedAt });
        await job.run(AbortSignal.any([lost, stopping.signal]));
        return true;
      });
      if (hasRun) attempts.set(job, { state: 'waiting', startedAt, endedAt: clock.now() });
      else attempts.set(job, { ...before, state: 'elsewhere' });
    } catch (error) {
      attempts.set(job, { state: 'waiting', startedAt, endedAt: clock.now(), error: toText(error) });
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
    status: () =>
      jobs.map((job) => ({
        name: job.name,
        everyMs: job.everyMs,
        ...(attempts.get(job) ?? { state: 'waiting' as const }),
      })),
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
