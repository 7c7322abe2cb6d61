import type { Call } from '#kernel/call.ts';
import { chunksOfSize } from '#kernel/text/budget.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { InstructionEntry } from '../../entry-model.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import {
  type EntryHighlight,
  highlightRanges,
  type ModeQuery,
  type RegexPosition,
  type SearchHits,
} from './search-hits.ts';

/** Ignores case, like keyword search. `^` and `$` match at line ends. */
const flags = 'im';

/** Chunks that fit one job of the workers. */
const toChunks = (entries: readonly InstructionEntry[]) =>
  chunksOfSize(entries, instructionLimits.patternChunkChars, ({ title, body }) => title.length + body.length);

const textsOf = (entries: readonly InstructionEntry[]): readonly string[] =>
  entries.flatMap(({ title, body }) => [title, body]);

interface Match {
  readonly entry: InstructionEntry;
  readonly position: RegexPosition;
}

const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Matches in titles first, then by priority. */
const comparePositions = (a: RegexPosition, b: RegexPosition): number =>
  Number(b.isInTitle) - Number(a.isInTitle) || a.priority - b.priority || compareIds(a.id, b.id);

export async function searchByRegex(
  catalog: Catalog,
  regex: RegexRunner,
  call: Call,
  { q, limit, highlight, after }: ModeQuery,
): Promise<SearchHits> {
  const { hash, entries } = await catalog.state(call);
  const query = { source: q, flags, tenant: call.tenant, signal: call.signal };
  const matches: Match[] = [];
  // An empty chunk, so that an invalid pattern is rejected even in an empty catalog.
  for (const chunk of entries.length === 0 ? [[]] : toChunks(entries)) {
    const found = await regex.test({ ...query, texts: textsOf(chunk) });
    chunk.forEach((entry, i) => {
      const isInTitle = found[2 * i] === true;
      const { id, priority } = entry;
      if (isInTitle || found[2 * i + 1] === true) matches.push({ entry, position: { isInTitle, priority, id } });
    });
  }
  // Continues after a position instead of an offset, so that changes do not move entries between pages.
  const isLeft = ({ position }: Match) =>
    after === undefined || !('isInTitle' in after) || comparePositions(position, after) > 0;
  const left = matches.filter(isLeft).sort((a, b) => comparePositions(a.position, b.position));
  const shown = left.slice(0, limit);
  const entriesShown = shown.map(({ entry }) => entry);
  const marks = highlight ? await highlightMatches(regex, query, entriesShown) : undefined;
  return {
    hash,
    count: matches.length,
    hits: shown.map(({ entry, position }, i) => ({ entry, highlights: marks?.[i] ?? [], position })),
    hasMore: shown.length < left.length,
    hints: [],
  };
}

async function highlightMatches(
  regex: RegexRunner,
  query: Omit<Parameters<RegexRunner['findAll']>[0], 'texts'>,
  entries: readonly InstructionEntry[],
): Promise<readonly (readonly EntryHighlight[])[]> {
  const marks: EntryHighlight[][] = [];
  for (const chunk of toChunks(entries)) {
    const { texts } = await regex.findAll({ ...query, texts: textsOf(chunk) });
    chunk.forEach(({ id, title, body }, i) => {
      const ofTitle = highlightRanges(id, 'title', title, texts[2 * i] ?? []);
      const ofBody = highlightRanges(id, 'body', body, texts[2 * i + 1] ?? []);
      marks.push([ofTitle, ofBody].filter((mark) => mark !== undefined));
    });
  }
  return marks;
}
