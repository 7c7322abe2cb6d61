/**
 * A place in a file that later fragments fill: a comment line of its own, `// <<name>>`, `# <<name>>` or
 * `<!-- <<name>> -->`. A fragment that has a file of the same path gives, after its imports, the text of a slot below a
 * line of the same form. The slots of one file are filled in the order of the fragments; one that is not filled vanishes.
 */
const marker = /^([ \t]*)(?:\/\/|#|<!--) <<([a-z][a-z-]*)>>(?: -->)?$/;

const slotOf = (line: string): { readonly indent: string; readonly name: string } | undefined => {
  const [, indent, name] = marker.exec(line) ?? [];
  return indent === undefined || name === undefined ? undefined : { indent, name };
};

export interface SlotContribution {
  /** What stands before the first slot: imports, or nothing. */
  readonly head: string;
  readonly sections: readonly { readonly slot: string; readonly text: string }[];
}

/** A blank line above the text of a slot stays: it sets it off from what stands there already. */
const trimLines = (lines: readonly string[]) =>
  lines
    .join('\n')
    .replace(/^\n{2,}/, '\n')
    .trimEnd();

/** Undefined for a file without slots: it fills none, it is a file of its own. */
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

/** Puts the sections where the file has their slots. A slot that the file lacks is the defect of a fragment. */
export function fillSlots(content: string, contributions: readonly SlotContribution[]): string {
  const sections = contributions.flatMap((contribution) => contribution.sections);
  const known = new Set<string>();
  const lines: string[] = [];
  for (const line of content.split('\n')) {
    const slot = slotOf(line);
    if (slot === undefined) {
      // Where a slot vanished between two blank lines, one of them stays.
      if (line !== '' || lines.at(-1) !== '') lines.push(line);
      continue;
    }
    known.add(slot.name);
    const texts = sections.filter((section) => section.slot === slot.name).map(({ text }) => text);
    if (texts.length > 0) lines.push(indented(texts.join('\n'), slot.indent));
  }
  const missing = sections.find(({ slot }) => !known.has(slot));
  if (missing !== undefined) throw new Error(`there is no slot ${missing.slot} to fill`);
  return `${lines.join('\n').trimEnd()}\n`;
}
