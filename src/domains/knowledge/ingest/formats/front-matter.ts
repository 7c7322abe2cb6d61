import { cutFrontMatter } from '#kernel/markdown/front-matter.ts';

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
 * for the program that makes a site of it.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const { frontMatter, body } = cutFrontMatter(text);
  const values = new Map<string, string>();
  for (const line of frontMatter ?? []) {
    const colon = line.indexOf(':');
    const value = colon > 0 ? toValue(line.slice(colon + 1)) : undefined;
    if (value !== undefined && !values.has(line.slice(0, colon))) values.set(line.slice(0, colon), value);
  }
  return { title: values.get('title'), url: values.get('url'), body };
}
