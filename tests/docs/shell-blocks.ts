/** The commands of the `sh` blocks of a page that run the program, one a line, without comments. */
export function programCommands(markdown: string): readonly string[] {
  const commands: string[] = [];
  let isShell = false;
  for (const line of markdown.split('\n')) {
    const text = line.trim();
    if (text.startsWith('```')) isShell = text === '```sh';
    else if (isShell && text.startsWith('fourfold ')) commands.push(text.replace(/\s+#.*$/, ''));
  }
  return commands;
}

/** Words of a command line with double or single quotes around whole words. */
export const toWords = (command: string): readonly string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '').slice(1);
