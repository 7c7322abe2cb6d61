/**
 * A slot is a comment line on its own, `// <<name>>`, `# <<name>>` or `<!-- <<name>> -->`, that later fragments fill. A
 * fragment with a file of the same path lists imports first, and then the text of each slot below a line of the same
 * form. Slots are filled in fragment order, and empty ones are removed.
 */
const marker = /^([ \t]*)(?:\/\/|#|<!--) <<([a-z][a-z-]*)>>(?: -->)?$/;

const slotOf = (line: string): { readonly indent: string; readonly name: string } | undefined => {
  const [, indent, name] = marker.exec(line) ?? [];
  return indent === undefined || name === undefined ? undefined : { indent, name };
};

export interface SlotContribution {
  /** The imports before the first slot. */
  readonly head: string;
  readonly sections: readonly { readonly slot: string; readonly text: string }[];
}

/** One blank line before the text is kept as a separator. */
const trimLines = (lines: readonly string[]) =>
  lines
    .join('\n')
    .replace(/^\n{2,}/, '\n')
    .trimEnd();

/** Undefined for a file without slots, which is complete as it is. */
export function readContribution(content: string): SlotContribution | undefined {
  const head: string[] = [];
  const sections: { slot: string; lines: string[] }[] = [];
  for (const line of content.split('\n')) {
    const slot = slotOf(line);
    if (slot === undefined) (sections.at(-1)?.lines ?? head).push(line);
    else sections.push({ slot: slot.name, lines: [] });
  }
  if (sections.length === 0) return undefined;
  return {
    head: head.join('\n').trim(),
    sections: sections.map(({ slot, lines }) => ({ slot, text: trimLines(lines) })),
  };
}

const indented = (text: string, indent: string) => text.replaceAll(/^(?=.)/gm, indent);

/** Throws if the file does not have a slot: that is an error in the fragment. */
export function fillSlots(content: string, contributions: readonly SlotContribution[]): string {
  const sections = contributions.flatMap((contribution) => contribution.sections);
  const known = new Set<string>();
  const lines: string[] = [];
  for (const line of content.split('\n')) {
    const slot = slotOf(line);
    if (slot === undefined) {
      // If a removed slot was between two blank lines, keep one of them.
      if (line !== '' || lines.at(-1) !== '') lines.push(line);
      continue;
    }
    known.add(slot.name);
    const texts = sections.filter((section) => section.slot === slot.name).map(({ text }) => text);
    if (texts.length > 0) lines.push(indented(texts.join('\n'), slot.indent));
  }
  const missing = sections.find(({ slot }) => !known.has(slot));
  if (missing !== undefined) throw new Error(`the file has no slot ${missing.slot}`);
  return `${lines.join('\n').trimEnd()}\n`;
}
