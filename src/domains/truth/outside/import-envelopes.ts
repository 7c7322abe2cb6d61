import { Fault } from '#kernel/fault/fault.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { SubmitAnswer } from '../payloads/payloads.ts';
import { submitInput } from '../payloads/submit-input.ts';
import { truthFileLimits } from './outside-limits.ts';

export interface EnvelopeLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

export interface RefusedLine {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface EnvelopesReport {
  readonly lines: number;
  /** Of a dry run: those that would be submitted. */
  readonly created: number;
  /** Their content was there already. */
  readonly duplicates: number;
  readonly refused: number;
  readonly errors: readonly RefusedLine[];
}

export interface EnvelopesDeps {
  readonly ask: Ask;
  readonly signal: AbortSignal | undefined;
  progress(done: number, total?: number, message?: string): void;
}

const noEnvelope = { code: 'VALIDATION_ERROR', message: 'The line is no payload envelope in JSON' } as const;

/** Faults that speak of the server or the caller: the next line would meet the same. */
const endsAll = ({ code }: Fault): boolean =>
  ['READ_ONLY', 'PERMISSION_DENIED', 'UNAUTHENTICATED', 'CANCELLED', 'SERVICE_UNAVAILABLE'].includes(code) ||
  code.startsWith('DB_');

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isMap = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isMap ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Payload envelopes, one a line, as submit_payload takes them. A line that is refused keeps no other from coming in. */
export async function importEnvelopes(
  { ask, signal, progress }: EnvelopesDeps,
  lines: AsyncIterable<EnvelopeLine>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<EnvelopesReport> {
  let count = 0;
  let created = 0;
  let duplicates = 0;
  let refused = 0;
  const errors: RefusedLine[] = [];

  function refuse(line: number, { code, message }: Pick<RefusedLine, 'code' | 'message'>): void {
    refused += 1;
    if (errors.length < truthFileLimits.toldLinesCount) errors.push({ line, code, message });
  }

  async function submit({ number, text }: EnvelopeLine): Promise<void> {
    const envelope = parse(text);
    if (envelope === undefined) return refuse(number, noEnvelope);
    if (dryRun) {
      if (submitInput.safeParse(envelope).success) created += 1;
      else refuse(number, noEnvelope);
      return;
    }
    try {
      const answer = (await ask('submit_payload', envelope)) as SubmitAnswer;
      if (answer.created) created += 1;
      else duplicates += 1;
    } catch (error) {
      if (!(error instanceof Fault) || endsAll(error)) throw error;
      refuse(number, error);
    }
  }

  const underWay = new Set<Promise<void>>();
  for await (const line of lines) {
    signal?.throwIfAborted();
    count += 1;
    const begun: Promise<void> = submit(line).finally(() => underWay.delete(begun));
    underWay.add(begun);
    if (underWay.size >= truthFileLimits.envelopesCount) await Promise.race(underWay);
    if (count % 1_000 === 0) progress(count, undefined, 'payloads');
  }
  await Promise.all(underWay);
  return { lines: count, created, duplicates, refused, errors };
}
