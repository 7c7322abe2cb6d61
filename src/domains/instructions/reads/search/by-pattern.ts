import type { Call } from '#kernel/call.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { InstructionEntry } from '../../entry-model.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import { type EntryHighlight, highlightRanges } from '../../rules/highlight.ts';
import type { FindQuery, Found, PatternPlace } from './found.ts';

/** As in words: case does not matter. `^` and `$` are those of a line. */
const flags = 'im';

/** Parts of the catalog that one job of the workers can hold. */
function* toChunks(entries: readonly InstructionEntry[]): Generator<readonly InstructionEntry[]> {
  let chunk: InstructionEntry[] = [];
  let chars = 0;
  for (const entry of entries) {
    const size = entry.title.length + entry.body.length;
    if (chunk.length > 0 && chars + size > instructionLimits.patternChunkChars) {
      yield chunk;
      chunk = [];
      chars = 0;
    }
    chunk.push(entry);
    chars += size;
  }
  if (chunk.length > 0) yield chunk;
}

const textsOf = (entries: readonly InstructionEntry[]): readonly string[] =>
  entries.flatMap(({ title, body }) => [title, body]);

interface Match {
  readonly entry: InstructionEntry;
  readonly place: PatternPlace;
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A pattern has no score: what is in a title comes first, then what is more important. */
const comparePlaces = (a: PatternPlace, b: PatternPlace): number =>
  Number(b.isInTitle) - Number(a.isInTitle) || a.priority - b.priority || compareIds(a.id, b.id);

export async function findByPattern(
  catalog: Catalog,
  patterns: RegexRunner,
  call: Call,
  { q, limit, highlight, after }: FindQuery,
): Promise<Found> {
  const { hash, entries } = await catalog.state(call);
  const query = { source: q, flags, tenant: call.tenant, signal: call.signal };
  const matches: Match[] = [];
  // A pattern that is not valid is refused also when there is nothing to search.
  for (const chunk of entries.length === 0 ? [[]] : toChunks(entries)) {
    const found = await patterns.test({ ...query, texts: textsOf(chunk) });
    chunk.forEach((entry, i) => {
      const isInTitle = found[2 * i] === true;
      const { id, priority } = entry;
      if (isInTitle || found[2 * i + 1] === true) matches.push({ entry, place: { isInTitle, priority, id } });
    });
  }
  // By its place and not by a number: what comes and goes meanwhile moves no other from one page to another.
  const isLeft = ({ place }: Match) =>
    after === undefined || !('isInTitle' in after) || comparePlaces(place, after) > 0;
  const left = matches.filter(isLeft).sort((a, b) => comparePlaces(a.place, b.place));
  const shown = left.slice(0, limit);
  const entriesShown = shown.map(({ entry }) => entry);
  const marks = highlight ? await markAll(patterns, query, entriesShown) : undefined;
  return {
    hash,
    count: matches.length,
    hits: shown.map(({ entry, place }, i) => ({ entry, highlights: marks?.[i] ?? [], place })),
    hasMore: shown.length < left.length,
    hints: [],
  };
}

async function markAll(
  patterns: RegexRunner,
  query: Omit<Parameters<RegexRunner['findAll']>[0], 'texts'>,
  entries: readonly InstructionEntry[],
): Promise<readonly (readonly EntryHighlight[])[]> {
  const marks: EntryHighlight[][] = [];
  for (const chunk of toChunks(entries)) {
    const { texts } = await patterns.findAll({ ...query, texts: textsOf(chunk) });
    chunk.forEach(({ id, title, body }, i) => {
      const ofTitle = highlightRanges(id, 'title', title, texts[2 * i] ?? []);
      const ofBody = highlightRanges(id, 'body', body, texts[2 * i + 1] ?? []);
      marks.push([ofTitle, ofBody].filter((mark) => mark !== undefined));
    });
  }
  return marks;
}
