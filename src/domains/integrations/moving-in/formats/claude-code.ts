import { posix } from 'node:path';
import { isObject } from '#kernel/json/is-object.ts';
import {
  type CellItem,
  createTally,
  type MemoryFile,
  type PadItem,
  type ParsedMemories,
  type ParseMemories,
  stemOf,
  toId,
  toTime,
} from '../memory-item.ts';
import { type JsonLine, type JsonObject, objectsOf, readJsonLines, textOf } from './json-lines.ts';

type Tally = ReturnType<typeof createTally>;

const titleChars = 80;

function textOfMessage(message: JsonObject, leftOut: Tally): string {
  const { content } = message;
  if (typeof content === 'string') return content.trim() === '' ? '' : content;
  const blocks = objectsOf(content);
  for (const { type } of blocks) if (type !== 'text') leftOut.add(`blocks of type ${textOf(type) ?? 'unknown'}`);
  return blocks.flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : [])).join('\n\n');
}

function toCell({ value, source }: JsonLine, leftOut: Tally): CellItem | undefined {
  const { type, message } = value;
  if ((type !== 'user' && type !== 'assistant') || !isObject(message)) return undefined;
  // Written by the program itself, or by an assistant of the assistant.
  if (value['isMeta'] === true || value['isSidechain'] === true) {
    leftOut.add('messages beside the conversation');
    return undefined;
  }
  const content = textOfMessage(message, leftOut);
  if (content === '') return undefined;
  return {
    cellId: toId(textOf(value['uuid']) ?? source),
    content,
    source,
    speaker: type,
    at: toTime(value['timestamp']),
  };
}

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, titleChars);

function parseTranscript(file: MemoryFile, leftOut: Tally): Pick<ParsedMemories, 'pads' | 'skipped'> {
  const { lines, skipped } = readJsonLines(file);
  const cells = lines.flatMap((line) => toCell(line, leftOut) ?? []);
  if (cells.length === 0) {
    leftOut.add('transcripts without text');
    return { pads: [], skipped };
  }
  const summary = lines.findLast(({ value }) => value['type'] === 'summary')?.value['summary'];
  const first = cells.find(({ speaker }) => speaker === 'user') ?? cells[0]!;
  const pad: PadItem = {
    scratchId: `claude-code-${toId(stemOf(file.path))}`,
    title: textOf(summary) ?? firstLine(first.content),
    cells,
  };
  return { pads: [pad], skipped };
}

function parseNote({ path, text }: MemoryFile): Pick<ParsedMemories, 'pads' | 'skipped'> {
  if (text.trim() === '') return { pads: [], skipped: [] };
  const cells = [{ cellId: 'note', content: text, source: path }];
  return { pads: [{ scratchId: `claude-code-${toId(path)}`, title: posix.basename(path), cells }], skipped: [] };
}

/** The transcripts (`*.jsonl`) and notes (`memory/*.md`) in the `projects` folder of Claude Code. */
export const parseClaudeCode: ParseMemories = (files) => {
  const leftOut = createTally();
  const parsed = files.map((file) => (file.path.endsWith('.md') ? parseNote(file) : parseTranscript(file, leftOut)));
  return {
    facts: [],
    pads: parsed.flatMap(({ pads }) => pads),
    skipped: parsed.flatMap(({ skipped }) => skipped),
    leftOut: leftOut.counts,
  };
};
