import type { Block, Outline } from '../sections/block.ts';

/** Characters that underline a title in reStructuredText, and in plain text by habit. */
const underlines = new Set('=-~^"\'#*+`:.<>_');

function underlineOf(line: string | undefined, title: string): string | undefined {
  const bare = line?.trimEnd() ?? '';
  const mark = bare[0];
  if (mark === undefined || !underlines.has(mark) || bare !== mark.repeat(bare.length)) return undefined;
  return bare.length >= Math.max(3, title.trim().length - 1) ? mark : undefined;
}

function isOverline(lines: readonly string[], i: number): boolean {
  const title = lines[i + 1] ?? '';
  const mark = title.trim() === '' ? undefined : underlineOf(lines[i], title);
  return mark !== undefined && underlineOf(lines[i + 2], title) === mark && underlineOf(title, '') === undefined;
}

/** Paragraphs, and the titles that are underlined: each sign is a level, in the order in which they come. */
export function readPlain(text: string): Outline {
  const blocks: Block[] = [];
  const levels: string[] = [];
  let open: string[] = [];
  function close(): void {
    const joined = open.join('\n');
    if (joined.trim() !== '') blocks.push({ kind: 'text', text: joined.trimEnd() });
    open = [];
  }
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    // A title may have its line above it as well.
    if (open.length === 0 && isOverline(lines, i)) i += 1;
    const line = lines[i]!;
    const mark = line.trim() === '' || open.length > 0 ? undefined : underlineOf(lines[i + 1], line);
    const isTitle = mark !== undefined && underlineOf(line, '') === undefined;
    if (isTitle) {
      if (!levels.includes(mark)) levels.push(mark);
      blocks.push({ kind: 'heading', level: levels.indexOf(mark) + 1, title: line.trim() });
      i += 1;
    } else if (line.trim() === '') close();
    else open.push(line);
  }
  close();
  const first = blocks[0];
  return { title: first?.kind === 'heading' ? first.title : undefined, blocks };
}
