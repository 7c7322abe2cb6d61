import { cutFrontMatter } from '#kernel/markup/front-matter.ts';

export interface FrontMatter {
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly body: string;
}

/** A value of one line, with or without quotes. Of longer ones nothing is wanted here. */
function toValue(text: string): string | undefined {
  const value = text.trim();
  const quote = value[0];
  if ((quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote)) return value.slice(1, -1).trim();
  return value === '' || value.startsWith('|') || value.startsWith('>') ? undefined : value;
}

/**
 * The head of a page between two lines of dashes: its title and its address. Read line by line; what else stands there is
 * for the program that makes a site of it. Where no line names anything, the dashes are only lines across the page.
 */
export function splitFrontMatter(text: string): FrontMatter {
  // Hugo's other form, TOML.
  const isPlus = text.startsWith('+++');
  const { frontMatter, body } = cutFrontMatter(text, isPlus ? '+++' : '---');
  const sign = isPlus ? '=' : ':';
  const values = new Map<string, string>();
  let isNamed = frontMatter?.length === 0;
  for (const line of frontMatter ?? []) {
    const at = line.indexOf(sign);
    isNamed ||= at > 0;
    const name = line.slice(0, at).trimEnd();
    const value = at > 0 ? toValue(line.slice(at + 1)) : undefined;
    if (value !== undefined && !values.has(name)) values.set(name, value);
  }
  return isNamed
    ? { title: values.get('title'), url: values.get('url'), body }
    : { title: undefined, url: undefined, body: text };
}
