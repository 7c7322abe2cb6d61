import { isObject } from '#kernel/json/is-object.ts';
import {
  type CellItem,
  createTally,
  type MemoryFile,
  type PadItem,
  type ParseMemories,
  type SkippedPart,
  toId,
  toTime,
} from '../memory-item.ts';
import { type JsonObject, objectsOf, readJson, textOf } from './json-lines.ts';

type Tally = ReturnType<typeof createTally>;
type ReadConversation = (value: JsonObject, source: string, leftOut: Tally) => PadItem | string;

/** An export is one file with a list of conversations. */
function parseExport(files: readonly MemoryFile[], read: ReadConversation) {
  const leftOut = createTally();
  const skipped: SkippedPart[] = [];
  const pads: PadItem[] = [];
  for (const file of files) {
    const value = readJson(file);
    if (!Array.isArray(value)) {
      skipped.push({ source: file.path, reason: 'it is not a JSON list of conversations' });
      continue;
    }
    for (const [i, conversation] of value.entries()) {
      const source = `${file.path}, conversation ${i + 1}`;
      const pad = isObject(conversation) ? read(conversation, source, leftOut) : 'it is not an object';
      if (typeof pad === 'string') skipped.push({ source, reason: pad });
      else if (pad.cells.length > 0) pads.push(pad);
      else leftOut.add('conversations without text');
    }
  }
  return { facts: [], pads, skipped, leftOut: leftOut.counts };
}

/** The shown branch, first message first. `seen` ends a loop in a damaged file. */
function shownBranch(mapping: JsonObject, current: string): readonly JsonObject[] {
  const branch: JsonObject[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = current; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const node: unknown = mapping[id];
    if (!isObject(node)) break;
    branch.push(node);
    id = textOf(node['parent']);
  }
  return branch.toReversed();
}

const partsOf = (content: JsonObject): string => {
  const { parts } = content;
  const texts = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string') : [content['text']];
  return texts.filter((text) => textOf(text) !== undefined).join('\n\n');
};

function toChatGptCell(node: JsonObject, source: string, leftOut: Tally): CellItem | undefined {
  const message = node['message'];
  if (!isObject(message) || !isObject(message['author']) || !isObject(message['content'])) return undefined;
  const role = textOf(message['author']['role']) ?? '';
  const content = partsOf(message['content']);
  if (role !== 'user' && role !== 'assistant') {
    if (content !== '') leftOut.add(`messages of the ${role === '' ? 'unknown' : role} role`);
    return undefined;
  }
  const { parts } = message['content'];
  if (Array.isArray(parts)) leftOut.add('pictures and files', parts.filter((part) => isObject(part)).length);
  if (content === '') return undefined;
  const id = textOf(message['id']) ?? textOf(node['id']) ?? content;
  return { cellId: toId(id), content, source, speaker: role, at: toTime(message['create_time']) };
}

function readChatGpt(value: JsonObject, source: string, leftOut: Tally): PadItem | string {
  const { mapping } = value;
  const id = textOf(value['conversation_id']) ?? textOf(value['id']);
  const current = textOf(value['current_node']);
  if (id === undefined || current === undefined || !isObject(mapping)) return 'it lacks id, mapping or current_node';
  const branch = shownBranch(mapping, current);
  leftOut.add('messages of replaced branches', Object.keys(mapping).length - branch.length);
  const title = textOf(value['title']) ?? 'Untitled conversation';
  const cells = branch.flatMap((node) => toChatGptCell(node, source, leftOut) ?? []);
  return { scratchId: `chatgpt-${toId(id)}`, title, cells };
}

/** `conversations.json` of a ChatGPT data export. */
export const parseChatGpt: ParseMemories = (files) => parseExport(files, readChatGpt);

function toClaudeCell(message: JsonObject, source: string, leftOut: Tally): CellItem | undefined {
  const blocks = objectsOf(message['content']);
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => textOf(text));
  const joined = texts.filter((text) => text !== undefined).join('\n\n');
  const content = joined === '' ? (textOf(message['text']) ?? '') : joined;
  leftOut.add('blocks that are not text', blocks.length - texts.length);
  leftOut.add('attachments', objectsOf(message['attachments']).length + objectsOf(message['files']).length);
  if (content === '') return undefined;
  const speaker = message['sender'] === 'human' ? 'user' : (textOf(message['sender']) ?? 'unknown');
  const cellId = toId(textOf(message['uuid']) ?? content);
  return { cellId, content, source, speaker, at: toTime(message['created_at']) };
}

function readClaude(value: JsonObject, source: string, leftOut: Tally): PadItem | string {
  const id = textOf(value['uuid']);
  if (id === undefined || !Array.isArray(value['chat_messages'])) return 'it lacks uuid or chat_messages';
  const cells = objectsOf(value['chat_messages']).flatMap((one) => toClaudeCell(one, source, leftOut) ?? []);
  return { scratchId: `claude-${toId(id)}`, title: textOf(value['name']) ?? 'Untitled conversation', cells };
}

/** `conversations.json` of a Claude data export. */
export const parseClaude: ParseMemories = (files) => parseExport(files, readClaude);
