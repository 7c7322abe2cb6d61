import { stemInflection } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import type { AppliesTo, Conditions, InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { topics } from './topics.ts';

/** How much something is about each topic, from 0 to 1, by the topic's position in the list. */
export type TopicWeights = ReadonlyMap<number, number>;

/** How much one occurrence says about the topic. Set with tests/fixtures/judged-rules/situations.json. */
const evidence = { term: 0.8, hint: 0.35, file: 0.6 } as const;

/** The places of a rule, in proportion to a task. A body mentions many topics that the rule is not about. */
const share = { head: 1, body: 0.2, place: 0.5 } as const;

/** How much a topic says about the topics that concern it. */
const concernShare = 0.3;

/** Words that may come between those of a phrase: `roll it back`. */
const skippedMax = 1;

interface Phrase {
  readonly stems: readonly string[];
  /** A phrase of many topics says little about each. */
  readonly evidence: Map<number, number>;
}

interface Vocabulary {
  /** By the first stem. */
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Topics of folders (`name/`), parts of file names (`.sql`) and file names, in lower case. */
  readonly files: ReadonlyMap<string, readonly number[]>;
  readonly concerns: readonly (readonly number[])[];
}

function stemsOf(text: string): readonly string[] {
  const stems: string[] = [];
  scanTokens(text, (word, _position, _start, _end, isWhole) => {
    // The derivations that `stem` joins mean different things: `product` and `production`, `receive` and `receiver`.
    if (!isWhole) stems.push(stemInflection(word));
  });
  return stems;
}

const listOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split(', '));

function readVocabulary(): Vocabulary {
  const byText = new Map<string, Phrase>();
  const files = new Map<string, number[]>();
  const positions = new Map(topics.map(({ name }, at) => [name, at]));
  topics.forEach((topic, at) => {
    for (const kind of ['term', 'hint'] as const) {
      for (const written of listOf(topic[`${kind}s`])) {
        const stems = stemsOf(written);
        const text = stems.join(' ');
        const phrase = byText.get(text) ?? { stems, evidence: new Map<number, number>() };
        // More words are less likely to meet by chance.
        const own = kind === 'term' ? evidence.term : evidence.hint * Math.sqrt(stems.length);
        phrase.evidence.set(at, Math.max(own, phrase.evidence.get(at) ?? 0));
        byText.set(text, phrase);
      }
    }
    for (const file of listOf(topic.files)) {
      const key = file.toLowerCase();
      files.set(key, [...(files.get(key) ?? []), at]);
    }
  });
  return {
    phrases: Map.groupBy(byText.values(), ({ stems }) => stems[0]!),
    files,
    concerns: topics.map(({ concerns }) => listOf(concerns).flatMap((name) => positions.get(name) ?? [])),
  };
}

let known: Vocabulary | undefined;
/** Read on first use, so that it does not delay the start. */
const vocabulary = (): Vocabulary => {
  known ??= readVocabulary();
  return known;
};

/** The position of the phrase's last word, if it begins here. */
function endOf({ stems }: Phrase, words: readonly string[], from: number): number | undefined {
  let at = from;
  for (const wanted of stems.slice(1)) {
    const end = Math.min(at + 1 + skippedMax, words.length - 1);
    let next = at + 1;
    while (next <= end && words[next] !== wanted) next += 1;
    if (next > end) return undefined;
    at = next;
  }
  return at;
}

/** The phrases of a text, without those that are part of a longer one: `log` in `log in`. */
function phrasesIn(text: string): ReadonlySet<Phrase> {
  const words = stemsOf(text);
  const { phrases } = vocabulary();
  const found: { readonly phrase: Phrase; readonly from: number; readonly to: number }[] = [];
  const longest = new Uint8Array(words.length);
  words.forEach((word, from) => {
    for (const phrase of phrases.get(word) ?? []) {
      const to = endOf(phrase, words, from);
      if (to === undefined) continue;
      found.push({ phrase, from, to });
      for (let at = from; at <= to; at += 1) longest[at] = Math.max(longest[at]!, phrase.stems.length);
    }
  });
  const isPart = ({ phrase, from, to }: (typeof found)[number]) =>
    Math.min(longest[from]!, longest[to]!) > phrase.stems.length;
  return new Set(found.filter((one) => !isPart(one)).map(({ phrase }) => phrase));
}

function topicsOfFile(path: string): readonly number[] {
  const parts = path.toLowerCase().split('/');
  const name = parts.pop() ?? '';
  const dotted = name.split('.');
  const keys = [
    ...parts.map((folder) => `${folder}/`),
    ...dotted.slice(1).map((part) => `.${part}`),
    ...dotted.map((_, i) => dotted.slice(0, i + 1).join('.')),
  ];
  const { files } = vocabulary();
  return keys.flatMap((key) => files.get(key) ?? []);
}

/** Combines independent evidence: several hints count as much as a term. */
function createTopicSum() {
  const doubts = new Map<number, number>();
  const add = (topic: number, weight: number) => {
    doubts.set(topic, (doubts.get(topic) ?? 1) * (1 - weight));
  };
  return {
    add,
    addText(text: string, part: number): void {
      for (const phrase of phrasesIn(text)) {
        for (const [topic, own] of phrase.evidence) add(topic, (own * part) / phrase.evidence.size);
      }
    },
    addFiles(paths: readonly string[], part: number): void {
      const ofFiles = new Set(paths.slice(0, instructionLimits.topicFilesCount).flatMap(topicsOfFile));
      for (const topic of ofFiles) add(topic, evidence.file * part);
    },
    weights: (): Map<number, number> => new Map([...doubts].map(([topic, doubt]) => [topic, 1 - doubt])),
  };
}

const conditionsOf = ({ all = [], ...any }: AppliesTo): readonly Conditions[] => [any, ...all];

/** An import records where it read the rule. */
function sourceFolder({ extensions }: InstructionEntry): string {
  const source = extensions?.['source'] as { readonly file?: unknown } | undefined;
  const file = typeof source?.file === 'string' ? source.file : '';
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

/** What a rule is about, by its names, its text and the places that it is for. */
export function topicsOfRule(entry: InstructionEntry): TopicWeights {
  const { id, title, description, categories, tags = [], appliesTo = {}, body } = entry;
  const sum = createTopicSum();
  const conditions = conditionsOf(appliesTo);
  const head = [id, title, description, ...categories, ...tags, ...conditions.flatMap(({ tasks = [] }) => tasks)];
  sum.addText(head.filter(Boolean).join('\n'), share.head);
  sum.addText(body.slice(0, instructionLimits.topicTextChars), share.body);
  const folders = conditions.flatMap((one) => one.folders ?? []);
  sum.addText([sourceFolder(entry), ...folders].join('\n'), share.place);
  sum.addFiles(
    conditions.flatMap(({ files = [] }) => files),
    share.place,
  );
  return sum.weights();
}

/** What a task is about, by its text, its files and its meaning, with the topics that concern it. */
export function topicsOfTask(task: string, files: readonly string[], near: TopicWeights = new Map()): TopicWeights {
  const sum = createTopicSum();
  sum.addText(task, 1);
  sum.addFiles(files, 1);
  const weights = sum.weights();
  const { concerns } = vocabulary();
  const all = new Map(weights);
  for (const [topic, weight] of weights) {
    for (const other of concerns[topic]!) all.set(other, Math.max(all.get(other) ?? 0, weight * concernShare));
  }
  for (const [topic, weight] of near) all.set(topic, 1 - (1 - (all.get(topic) ?? 0)) * (1 - weight));
  return all;
}
