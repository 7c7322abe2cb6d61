import { noteRequest, requestClock } from '../../clock/yield-to-event-loop.ts';
import { faults } from '../../fault/kernel-faults.ts';
import type { Report } from '../../workers/task.ts';
import { startThread, type Thread } from '../../workers/thread.ts';
import { workerFaults } from '../../workers/worker-faults.ts';
import { embedLimits } from '../embed-limits.ts';
import type { EmbedOptions } from '../embedder.ts';
import type { EmbedAnswer, EmbedJob, ModelFiles } from './embed-task.ts';
import type { TextEmbedding } from './run-network.ts';
import type { TokenOutput } from './token-vectors.ts';

export interface MiniLmThreadsOptions {
  readonly files: ModelFiles;
  readonly idleMs?: number;
  readonly queueCount?: number;
}

interface Waiting {
  readonly texts: readonly string[];
  readonly output: TokenOutput;
  resolve(embeddings: readonly TextEmbedding[]): void;
  reject(error: unknown): void;
}

interface ThreadOptions {
  readonly files: ModelFiles;
  readonly task: 'queries' | 'documents';
  readonly idleMs: number;
  /** After each answer. */
  answered(): void;
  /** The jobs of this thread are rejected; the caller's queue has to be too. */
  failed(error: unknown): void;
}

interface ThreadEmbedOptions extends EmbedOptions {
  readonly output?: TokenOutput;
}

/** Next to this module in the source, next to its chunk in the bundle. */
const entry = new URL(import.meta.url.endsWith('.ts') ? './minilm.worker.ts' : './minilm.worker.js', import.meta.url);

/** A thread that holds the model: started by the first text, ended when idle. */
function createModelThread({ files, task, idleMs, answered, failed }: ThreadOptions) {
  const running = new Map<number, Waiting>();
  let thread: Thread | undefined;
  let ending: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let ticketCount = 0;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    ending = ended?.end();
    await ending;
  }

  function fail(error: unknown): void {
    const lost = [...running.values()];
    running.clear();
    void end();
    for (const { reject } of lost) reject(error);
    failed(error);
  }

  function hear(report: Report): void {
    if (report.kind === 'failed') fail(new Error(`the model failed: ${report.message}`));
    if (report.kind !== 'done') return;
    const { ticket, embeddings } = report.value as EmbedAnswer;
    const waiting = running.get(ticket);
    running.delete(ticket);
    waiting?.resolve(embeddings);
    answered();
    if (running.size > 0) return;
    thread?.setBusy(false);
    clearTimeout(idle);
    idle = setTimeout(() => void end(), idleMs).unref();
  }

  function awake(): Thread {
    clearTimeout(idle);
    thread ??= startThread(
      { entry, heapMb: embedLimits.minilmHeapMb, stackMb: embedLimits.minilmStackMb },
      { report: hear, gone: (error) => fail(new Error('the thread of the model is gone', { cause: error })) },
    );
    return thread;
  }

  return {
    post(waiting: Waiting): void {
      const ticket = ticketCount;
      ticketCount += 1;
      running.set(ticket, waiting);
      const started = awake();
      started.setBusy(true);
      const job: EmbedJob = { ticket, files, texts: waiting.texts, output: waiting.output };
      started.post({ task, input: task === 'documents' ? { ...job, requests: requestClock } : job });
    },
    runningCount: () => running.size,
    isAwake: () => thread !== undefined,
    async close() {
      fail(faults.SHUTTING_DOWN());
      await ending;
    },
  };
}

/**
 * The threads of the process with the model: one for queries, which a caller waits for, and one of the lowest priority
 * for documents, which rests while requests arrive. A model in each costs memory only while documents are embedded.
 */
export function createMiniLmThreads({ files, ...options }: MiniLmThreadsOptions) {
  const { idleMs, queueCount = embedLimits.minilmQueueCount } = options;
  /** Sent one job at a time, so that they can be cancelled. */
  const waitingDocuments: Waiting[] = [];
  let isClosed = false;

  const queries = createModelThread({
    ...{ files, task: 'queries', idleMs: idleMs ?? embedLimits.minilmIdleMs },
    answered() {},
    failed() {},
  });
  const documents = createModelThread({
    ...{ files, task: 'documents', idleMs: idleMs ?? embedLimits.minilmDocumentsIdleMs },
    answered: pump,
    failed(error) {
      for (const { reject } of waitingDocuments.splice(0)) reject(error);
    },
  });

  const waitingCount = (): number => waitingDocuments.reduce((sum, { texts }) => sum + texts.length, 0);

  function pump(): void {
    const next = documents.runningCount() > 0 ? undefined : waitingDocuments.shift();
    if (next !== undefined) documents.post(next);
  }

  return {
    embed(texts: readonly string[], { signal, purpose, output = 'none' }: ThreadEmbedOptions) {
      return new Promise<readonly TextEmbedding[]>((resolve, reject) => {
        if (isClosed) return reject(faults.SHUTTING_DOWN());
        if (signal.aborted) return reject(signal.reason as Error);
        if (texts.length === 0) return resolve([]);
        const isQuery = purpose === 'query';
        const count = isQuery ? queries.runningCount() + 1 : waitingCount() + texts.length;
        if (count > (isQuery ? embedLimits.minilmQueriesCount : queueCount))
          return reject(workerFaults.WORKERS_BUSY({ waiting: count }));
        const withdraw = () => {
          const at = waitingDocuments.indexOf(waiting);
          if (at !== -1) waitingDocuments.splice(at, 1);
          // A running job ends soon; its answer is ignored.
          reject(signal.reason as Error);
        };
        const waiting: Waiting = {
          texts,
          output,
          resolve(embeddings) {
            signal.removeEventListener('abort', withdraw);
            resolve(embeddings);
          },
          reject(error) {
            signal.removeEventListener('abort', withdraw);
            reject(error);
          },
        };
        signal.addEventListener('abort', withdraw, { once: true });
        if (isQuery) {
          noteRequest();
          queries.post(waiting);
        } else {
          waitingDocuments.push(waiting);
          pump();
        }
      });
    },
    /** Whether a model is in memory. */
    isAwake: () => queries.isAwake() || documents.isAwake(),
    async close() {
      isClosed = true;
      await Promise.all([queries.close(), documents.close()]);
    },
  };
}
