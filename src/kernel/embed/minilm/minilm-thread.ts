import { faults } from '../../fault/kernel-faults.ts';
import type { Report } from '../../workers/task.ts';
import { startThread, type Thread } from '../../workers/thread.ts';
import { workerFaults } from '../../workers/worker-faults.ts';
import { embedLimits } from '../embed-limits.ts';
import type { EmbedOptions } from '../embedder.ts';
import type { EmbedAnswer, EmbedJob, ModelFiles } from './embed-task.ts';

export interface MiniLmThreadOptions {
  readonly files: ModelFiles;
  readonly idleMs?: number;
  readonly queueCount?: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly isQuery: boolean;
  resolve(vectors: readonly Float32Array[]): void;
  reject(error: unknown): void;
}

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './minilm.worker.ts' : './minilm.worker.js', import.meta.url);

/** The one thread of the process that holds the model: started by the first text, ended when idle. */
export function createMiniLmThread({ files, ...options }: MiniLmThreadOptions) {
  const { idleMs = embedLimits.minilmIdleMs, queueCount = embedLimits.minilmQueueCount } = options;
  const documents: Waiting[] = [];
  /** Jobs at the thread. Queries are sent immediately; documents one job at a time, so that they can be cancelled. */
  const running = new Map<number, Waiting>();
  let thread: Thread | undefined;
  let ending: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ticketCount = 0;
  let isClosed = false;

  const waitingCount = (): number => documents.reduce((sum, { texts }) => sum + texts.length, 0);
  const queriesCount = (): number =>
    running
      .values()
      .filter(({ isQuery }) => isQuery)
      .toArray().length;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    ending = ended?.end();
    await ending;
  }

  function failAll(error: unknown): void {
    const lost = [...running.values(), ...documents.splice(0)];
    running.clear();
    void end();
    for (const { reject } of lost) reject(error);
  }

  function hear(report: Report): void {
    if (report.kind === 'failed') failAll(new Error(`the model failed: ${report.message}`));
    if (report.kind !== 'done') return;
    const { ticket, vectors } = report.value as EmbedAnswer;
    const waiting = running.get(ticket);
    running.delete(ticket);
    waiting?.resolve(vectors);
    pump();
  }

  function awake(): Thread {
    clearTimeout(idle);
    thread ??= startThread(
      { entry, heapMb: embedLimits.minilmHeapMb, stackMb: embedLimits.minilmStackMb },
      { report: hear, gone: (error) => failAll(new Error('the thread of the model is gone', { cause: error })) },
    );
    return thread;
  }

  function post(waiting: Waiting): void {
    const ticket = ticketCount;
    ticketCount += 1;
    running.set(ticket, waiting);
    const { texts, isQuery } = waiting;
    const started = awake();
    started.setBusy(true);
    started.post({ task: 'embed', input: { ticket, files, texts, isQuery } satisfies EmbedJob });
  }

  function pump(): void {
    const isBusy = running.values().some(({ isQuery }) => !isQuery);
    const next = isBusy ? undefined : documents.shift();
    if (next !== undefined) post(next);
    if (running.size > 0) return;
    thread?.setBusy(false);
    clearTimeout(idle);
    idle = setTimeout(() => void end(), idleMs).unref();
  }

  return {
    embed(texts: readonly string[], { signal, purpose }: EmbedOptions) {
      return new Promise<readonly Float32Array[]>((resolve, reject) => {
        if (isClosed) return reject(faults.SHUTTING_DOWN());
        if (signal.aborted) return reject(signal.reason as Error);
        if (texts.length === 0) return resolve([]);
        const isQuery = purpose === 'query';
        const count = isQuery ? queriesCount() + 1 : waitingCount() + texts.length;
        if (count > (isQuery ? embedLimits.minilmQueriesCount : queueCount))
          return reject(workerFaults.WORKERS_BUSY({ waiting: count }));
        const withdraw = () => {
          const at = documents.indexOf(waiting);
          if (at !== -1) documents.splice(at, 1);
          // A running job ends soon; its answer is ignored.
          reject(signal.reason as Error);
        };
        const waiting: Waiting = {
          texts,
          isQuery,
          resolve(vectors) {
            signal.removeEventListener('abort', withdraw);
            resolve(vectors);
          },
          reject(error) {
            signal.removeEventListener('abort', withdraw);
            reject(error);
          },
        };
        signal.addEventListener('abort', withdraw, { once: true });
        if (isQuery) post(waiting);
        else {
          documents.push(waiting);
          pump();
        }
      });
    },
    /** Whether the model is in memory. */
    isAwake: () => thread !== undefined,
    async close() {
      isClosed = true;
      failAll(faults.SHUTTING_DOWN());
      await ending;
    },
  };
}
