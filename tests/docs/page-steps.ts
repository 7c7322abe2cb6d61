import { programCommands } from './shell-blocks.ts';

type Json = Readonly<Record<string, unknown>>;

/** One step of a reader who follows a page, with the output that the page shows. */
export type PageStep =
  | { readonly kind: 'call'; readonly name: string; readonly args: Json; readonly shown: Json | undefined }
  | { readonly kind: 'commands'; readonly commands: readonly string[]; readonly shown: readonly string[] };

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocksOf = (markdown: string): readonly Block[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }));

const isCall = (value: Json): value is { name: string; arguments: Json } =>
  typeof value['name'] === 'string' && typeof value['arguments'] === 'object';

const toLines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

function toStep({ language, text }: Block, next: Block | undefined): PageStep {
  if (language === 'sh') {
    const commands = programCommands(`\`\`\`sh\n${text}\`\`\``);
    return { kind: 'commands', commands, shown: next?.language === 'text' ? toLines(next.text) : [] };
  }
  const call = JSON.parse(text) as Json;
  if (!isCall(call)) throw new Error(`answer without a call: ${text}`);
  const following = next?.language === 'json' ? (JSON.parse(next.text) as Json) : undefined;
  const shown = following === undefined || isCall(following) ? undefined : following;
  return { kind: 'call', name: call.name, args: call.arguments, shown };
}

/** A `json` block is a `tools/call` request or the answer to the request above it; `text` is the output of the commands above. */
export function pageSteps(markdown: string): readonly PageStep[] {
  const blocks = blocksOf(markdown);
  const steps: PageStep[] = [];
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at]!;
    if (!['json', 'sh', 'text'].includes(block.language)) continue;
    if (block.language === 'text') throw new Error(`output without a command: ${block.text}`);
    const step = toStep(block, blocks[at + 1]);
    if (step.kind === 'call' ? step.shown !== undefined : step.shown.length > 0) at += 1;
    steps.push(step);
  }
  return steps;
}

/** The first of the expected lines that the output does not contain, as a whole line and in this order. */
export function missingLine(output: string, expected: readonly string[]): string | undefined {
  let rest = output.split('\n').map((line) => line.trimEnd());
  for (const line of expected) {
    const at = rest.indexOf(line.trimEnd());
    if (at === -1) return line;
    rest = rest.slice(at + 1);
  }
  return undefined;
}
