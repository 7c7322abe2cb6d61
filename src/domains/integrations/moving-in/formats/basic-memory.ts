import { parse as parseYaml } from 'yaml';
import { isObject } from '#kernel/json/is-object.ts';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';
import { toLf } from '#kernel/text/normalise.ts';
import {
  type FactItem,
  type MemoryFile,
  type NamedThing,
  type PadItem,
  type ParseMemories,
  type SkippedPart,
  stemOf,
  toId,
} from '../memory-item.ts';
import { type JsonObject, textOf, textsOf } from './json-lines.ts';

interface Note {
  readonly path: string;
  readonly thing: NamedThing;
  readonly permalink: string | undefined;
  readonly tags: readonly string[];
  readonly body: string;
  /** Lines before the body, so that a line number is that of the file. */
  readonly bodyAt: number;
}

function readHead(lines: readonly string[] | undefined): JsonObject | undefined {
  if (lines === undefined) return {};
  try {
    const value: unknown = parseYaml(lines.join('\n'), { maxAliasCount: 0 });
    return isObject(value) ? value : {};
  } catch {
    return undefined;
  }
}

/** A list, or one text with commas. */
const tagsOf = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? value.split(',').flatMap((tag) => textOf(tag.trim().replace(/^#/, '')) ?? [])
    : textsOf(value);

function readNote({ path, text }: MemoryFile): Note | SkippedPart {
  const { frontMatter, body } = cutFrontMatter(toLf(text));
  const head = readHead(frontMatter);
  if (head === undefined) return { source: path, reason: 'its front matter is not YAML' };
  return {
    path,
    thing: { type: textOf(head['type']) ?? 'note', name: textOf(head['title']) ?? stemOf(path) },
    permalink: textOf(head['permalink']),
    tags: tagsOf(head['tags']),
    body,
    bodyAt: frontMatter === undefined ? 0 : frontMatter.length + 2,
  };
}

interface Observation {
  readonly category: string;
  readonly text: string;
}

/** `- [category] text`; a box such as `[x]` is a task and not an observation. */
function readObservation(line: string): Observation | undefined {
  const start = /^\s*[-*] \[([^\][]+)\] /.exec(line);
  const category = start?.[1]?.trim() ?? '';
  if (start === null || category === '' || /^[xX-]$/.test(category)) return undefined;
  return { category, text: line.slice(start[0].length).trim() };
}

/** `- type [[Target]]`, followed by nothing but a remark in parentheses: a link in a sentence is not a relation. */
function readRelation(line: string): { readonly type: string; readonly target: string } | undefined {
  const start = /^\s*[-*] /.exec(line);
  const [open, close] = [line.indexOf('[['), line.indexOf(']]')];
  if (start === null || open === -1 || close < open) return undefined;
  const type = line.slice(start[0].length, open).trim();
  const target = line.slice(open + 2, close).trim();
  const remark = line.slice(close + 2).trim();
  if (remark !== '' && !(remark.startsWith('(') && remark.endsWith(')'))) return undefined;
  return target === '' || !/^[\p{L}\p{N} _-]{1,64}$/u.test(type) ? undefined : { type, target };
}

/** Lines outside fenced code. */
function* proseLines({ body, bodyAt }: Note): Generator<{ readonly line: string; readonly number: number }> {
  let fence = '';
  for (const [i, line] of body.split('\n').entries()) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? '';
    if (fence === '' && mark === '') yield { line, number: bodyAt + i + 1 };
    else if (fence === '') fence = mark;
    else if (mark === fence) fence = '';
  }
}

/** The type note has its own fields, and other fields would not be shown. */
function toFields({ type }: NamedThing, observations: readonly Observation[]): NonNullable<FactItem['fields']> {
  const texts = observations.map(({ category, text }) => `[${category}] ${text}`);
  return type === 'note' ? { content: texts.join('\n') } : { observations: texts };
}

function toFacts(note: Note, find: (name: string) => NamedThing | undefined): readonly FactItem[] {
  const observations: Observation[] = [];
  const facts: FactItem[] = [];
  for (const { line, number } of proseLines(note)) {
    const observation = readObservation(line);
    const relation = observation === undefined ? readRelation(line) : undefined;
    if (observation !== undefined) observations.push(observation);
    if (relation === undefined) continue;
    const { type, target } = relation;
    facts.push({
      key: `relation ${type} ${note.path} ${target}`,
      source: `${note.path}:${number}`,
      subject: note.thing,
      // A note may refer to one that is not written yet.
      relations: [{ type, to: find(target) ?? { type: 'note', name: target } }],
    });
  }
  if (observations.length === 0) return facts;
  return [
    { key: `note ${note.path}`, source: note.path, subject: note.thing, fields: toFields(note.thing, observations) },
    ...facts,
  ];
}

const toPad = ({ path, thing, tags, body }: Note): PadItem => ({
  scratchId: `basic-memory-${toId(path)}`,
  title: thing.name,
  tags,
  cells: [{ cellId: 'note', content: body, source: path }],
});

/** The Markdown files of a basic-memory project: notes with observations and relations. */
export const parseBasicMemory: ParseMemories = (files) => {
  const read = files.map(readNote);
  const notes = read.filter((one): one is Note => 'thing' in one);
  const named = new Map<string, NamedThing>();
  for (const { thing, permalink, path } of notes) {
    for (const name of [thing.name, permalink, path.replace(/\.md$/, '')]) {
      if (name !== undefined && !named.has(name.toLowerCase())) named.set(name.toLowerCase(), thing);
    }
  }
  return {
    facts: notes.flatMap((note) => toFacts(note, (name) => named.get(name.toLowerCase()))),
    pads: notes.filter(({ body }) => body.trim() !== '').map(toPad),
    skipped: read.filter((one): one is SkippedPart => 'reason' in one),
    leftOut: {},
  };
};
