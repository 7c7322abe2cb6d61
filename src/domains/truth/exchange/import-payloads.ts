import { Fault } from '#kernel/fault/fault.ts';
import { type SubmitAnswer, type SubmitInput, submitInput } from '../payloads/payload-model.ts';
import { truthLimits } from '../truth-limits.ts';

export interface PayloadLine {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string;
}

export interface RejectedLine {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface PayloadImportDeps {
  /** All or none. Durable only after `flush`. */
  submitMany(inputs: readonly SubmitInput[]): Promise<readonly SubmitAnswer[]>;
  /** Validates only, for a dry run. */
  checkMany(inputs: readonly SubmitInput[]): Promise<void>;
  flush(): Promise<void>;
  readonly signal: AbortSignal | undefined;
  progress(done: number, total?: number, message?: string): void;
}

interface ParsedLine {
  readonly line: number;
  readonly input: SubmitInput;
}

const invalidLine = { code: 'VALIDATION_ERROR', message: 'The line is not a payload in JSON' } as const;

/** Faults of the server or the caller: every following line would fail as well. */
const stopsImport = ({ code }: Fault): boolean =>
  ['READ_ONLY', 'PERMISSION_DENIED', 'UNAUTHORIZED', 'CANCELLED', 'SERVICE_UNAVAILABLE'].includes(code) ||
  code.startsWith('DB_');

/** Undefined if submit_payload would reject it. */
function parse(text: string): SubmitInput | undefined {
  try {
    const parsed = submitInput.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** An upper bound of the entities in it. */
function countMembers(text: string): number {
  let count = 1;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count += 1;
  return count;
}

/** Imports one payload per line, as submit_payload takes them. A rejected line does not stop the others. */
export async function importPayloads(
  { submitMany, checkMany, flush, signal, progress }: PayloadImportDeps,
  lines: AsyncIterable<PayloadLine>,
  { dryRun }: { readonly dryRun: boolean },
) {
  let count = 0;
  let created = 0;
  let duplicates = 0;
  let refused = 0;
  const errors: RejectedLine[] = [];

  function refuse(line: number, { code, message }: Pick<RejectedLine, 'code' | 'message'>): void {
    refused += 1;
    if (errors.length < truthLimits.reportedLinesCount) errors.push({ line, code, message });
  }

  async function take(inputs: readonly SubmitInput[]): Promise<void> {
    if (dryRun) {
      await checkMany(inputs);
      created += inputs.length;
      return;
    }
    for (const { created: isNew } of await submitMany(inputs)) {
      if (isNew) created += 1;
      else duplicates += 1;
    }
  }

  /** A fault in a batch rejects the whole batch; then each line is tried alone. */
  async function submit(some: readonly ParsedLine[]): Promise<void> {
    try {
      await take(some.map(({ input }) => input));
    } catch (error) {
      if (!(error instanceof Fault) || stopsImport(error)) throw error;
      const [first, ...others] = some;
      if (others.length === 0) refuse(first!.line, error);
      else for (const one of some) await submit([one]);
    }
  }

  const { importBatchCount, importBatchChars, importBatchMembersCount } = truthLimits;
  let waiting: ParsedLine[] = [];
  let waitingChars = 0;
  let waitingMembersCount = 0;

  const isFull = (): boolean =>
    waiting.length >= importBatchCount ||
    waitingChars >= importBatchChars ||
    waitingMembersCount >= importBatchMembersCount;

  async function submitWaiting(): Promise<void> {
    const some = waiting;
    waiting = [];
    waitingChars = 0;
    waitingMembersCount = 0;
    await submit(some);
  }

  for await (const { number, text } of lines) {
    signal?.throwIfAborted();
    count += 1;
    const input = parse(text);
    if (input === undefined) refuse(number, invalidLine);
    else waiting.push({ line: number, input });
    waitingChars += text.length;
    waitingMembersCount += countMembers(text);
    if (isFull()) await submitWaiting();
    if (count % 1_000 === 0) progress(count, undefined, 'payloads');
  }
  if (waiting.length > 0) await submitWaiting();
  // Reported payloads must be durable, including those that existed before.
  if (!dryRun && created + duplicates > 0) await flush();
  // Unparsable lines are reported before the batch they belong to.
  errors.sort((a, b) => a.line - b.line);
  return { lines: count, created, duplicates, refused, errors };
}
