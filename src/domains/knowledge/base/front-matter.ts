import { parse } from 'yaml';
import { cutFrontMatter } from '#kernel/markup/front-matter.ts';

export interface SplitPage {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws an Error in words of ours when what stands between the dashes is no map of YAML. Dates stay texts. */
export function splitPage(text: string): SplitPage {
  const { frontMatter, body } = cutFrontMatter(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  if (frontMatter === undefined) return { values: {}, body };
  let values: unknown;
  try {
    // Aliases could grow without end: a few are enough for anybody.
    values = parse(frontMatter.join('\n'), {
      schema: 'core',
      maxAliasCount: 50,
      prettyErrors: false,
      logLevel: 'error',
    });
  } catch (error) {
    throw new Error(`the front matter is no YAML: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
  if (values === null || values === undefined) return { values: {}, body };
  if (!isMap(values)) throw new Error('the front matter is no map of key: value');
  return { values, body };
}
