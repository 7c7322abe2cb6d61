import { defineCollection, type SearchDocument } from '#kernel/search/collection.ts';
import { createDocumentMatcher } from '#kernel/search/match-documents.ts';
import type { Card } from '#kernel/tool/card.ts';
import { toListedName } from '#kernel/tool/names.ts';
import { absentRequests, everydayRequests } from './everyday-requests.ts';
import { everydayWords, familyWords } from './everyday-words.ts';

/** Measured with the requests in bench/judged: long texts are as good as short ones, and everyday words help most. */
const toolDocuments = defineCollection({
  name: 'tools',
  fields: { title: 3, words: 3, requests: 2, family: 2, summary: 1, guide: 1, parameters: 0.3 },
  title: 'title',
  k1: 2,
  b: 0,
});

const propertiesOf = (card: Card): object => (card.inputSchema['properties'] as object | undefined) ?? {};

const familyOf = ({ listedName }: Card): string =>
  Object.entries(familyWords).find(([beginning]) => listedName.startsWith(beginning))?.[1] ?? '';

const requestsOf = ({ name }: Card): readonly string[] => everydayRequests[name] ?? [];

const toDocument = (card: Card): SearchDocument => ({
  id: card.listedName,
  fields: {
    title: card.title,
    family: familyOf(card),
    summary: card.summary,
    words: everydayWords[card.name] ?? '',
    requests: requestsOf(card).join(' '),
    guide: card.guide.when.join(' '),
    parameters: Object.keys(propertiesOf(card)).join(' '),
  },
});

/** Why a tool cannot be called now, or undefined. */
export type WhyDisabled = (card: Card) => string | undefined;

/** The vector of a request, of the model with this id; undefined without it. */
export type RequestVector = (request: string, model: string) => Promise<Float32Array | undefined>;

export interface FindOptions {
  readonly limit: number;
  readonly whyDisabled: WhyDisabled;
  readonly signal: AbortSignal;
  /** Without it, words decide alone. */
  readonly toVector?: RequestVector;
}

/** Set with the requests in bench/judged/tool-requests.ts, as parts of the best score by words. */
const weights = { meaning: 1.5, exact: 3 } as const;

/** A tool that cannot be called must fit better to come first. */
const disabledFactor = 0.9;
/** So must one for other programs and banks: their words, such as login and account, belong to everything. */
const integrationFactor = 0.75;

const factorOf = ({ toolset }: Card, disabled: string | undefined): number =>
  (disabled === undefined ? 1 : disabledFactor) * (toolset === 'integrations' ? integrationFactor : 1);

/** Parameters that a line names. */
const namedCount = 6;

/** `scratch_move_cell(scratch_id, cell_id, index)`: enough to call the tool without its schema. */
function toSignature(card: Card): string {
  const required = (card.inputSchema['required'] as readonly string[] | undefined) ?? [];
  const optional = Object.keys(propertiesOf(card)).filter((name) => !required.includes(name));
  const room = Math.max(0, namedCount - required.length);
  const more = optional.length > room ? ['…'] : [];
  return `${card.listedName}(${[...required, ...optional.slice(0, room).map((name) => `${name}?`), ...more].join(', ')})`;
}

const toLine = (card: Card, disabled: string | undefined) => ({
  name: card.listedName,
  call: toSignature(card),
  summary: card.summary,
  effect: card.effect,
  ...(disabled !== undefined && { disabled }),
});

/** The best hit with everything that a call needs, each of the others in one line. */
const toFull = (card: Card, disabled: string | undefined) => {
  const { call: _call, ...line } = toLine(card, disabled);
  return { ...line, title: card.title, toolset: card.toolset, inputSchema: card.inputSchema };
};

/** The words of a request, whatever their case and marks. */
const plain = (request: string): string =>
  request
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Ranks tools by the words and the meaning of a request. */
export function createToolFinder(cards: readonly Card[]) {
  const matcher = createDocumentMatcher();
  let preparing: ReturnType<typeof matcher.prepare> | undefined;
  const byName = new Map(cards.map((card) => [card.listedName, card]));
  const listedNames = new Map(cards.map((card) => [card.name, card.listedName]));
  const owners = new Map(cards.flatMap((card) => requestsOf(card).map((request) => [plain(request), card.listedName])));
  const saidOf = new Map(absentRequests.flatMap(({ asks, say }) => asks.map((request) => [plain(request), say])));

  async function byMeaning(request: string, toVector: RequestVector | undefined) {
    if (toVector === undefined || matcher.countTerms(request) === 0) return undefined;
    const [{ nearRequests }, { requestVectors }] = await Promise.all([
      import('./near-requests.ts'),
      import('./request-vectors.ts'),
    ]);
    const vector = await toVector(request, requestVectors.model);
    return vector && nearRequests(vector);
  }

  return async (request: string, { limit, whyDisabled, signal, toVector }: FindOptions) => {
    preparing ??= matcher.prepare(toolDocuments, cards.map(toDocument));
    const hits = (await preparing)(request);
    signal.throwIfAborted();
    const near = await byMeaning(request, toVector);
    const best = hits[0]?.score ?? 1;
    const scores = new Map(hits.map(({ id, score }) => [id, score / best]));
    const add = (name: string, by: number) => scores.set(name, (scores.get(name) ?? 0) + by);
    for (const [name, score] of near?.tools ?? []) {
      const listedName = listedNames.get(name);
      if (listedName !== undefined) add(listedName, weights.meaning * score);
    }
    const named = toListedName(request.trim());
    const owner = byName.has(named) ? named : owners.get(plain(request));
    if (owner !== undefined) add(owner, weights.exact);
    const tools = [...scores]
      .map(([id, score]) => {
        const card = byName.get(id)!;
        const disabled = whyDisabled(card);
        return { card, disabled, score: score * factorOf(card, disabled) };
      })
      .sort((a, b) => b.score - a.score || (a.card.name < b.card.name ? -1 : 1))
      .slice(0, limit)
      .map(({ card, disabled }, i) => (i === 0 ? toFull(card, disabled) : toLine(card, disabled)));
    return { tools, absent: saidOf.get(plain(request)) ?? near?.absent };
  };
}
