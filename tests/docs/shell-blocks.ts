/** The lines of a page's `sh` blocks that run the program, without comments and without `npx`. */
export function programCommands(markdown: string): readonly string[] {
  const commands: string[] = [];
  let isShell = false;
  for (const line of markdown.split('\n')) {
    const text = line.trim();
    if (text.startsWith('```')) isShell = text === '```sh';
    else if (isShell && /^(?:npx )?fourfold /.test(text)) {
      commands.push(text.replace(/^npx /, '').replace(/\s+#.*$/, ''));
    }
  }
  return commands;
}

/** The arguments of a command line, in which double or single quotes may surround whole words. */
export const toWords = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').slice(1);
