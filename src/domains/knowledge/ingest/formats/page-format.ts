const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoderFor(bytes: Uint8Array): typeof utf8 {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  return utf8;
}

/** Text with normalised line ends, or the reason why it cannot be decoded. */
export function decodePage(bytes: Uint8Array): string | { readonly reason: string } {
  let text: string;
  try {
    text = decoderFor(bytes).decode(bytes);
  } catch {
    return { reason: 'it is not UTF-8' };
  }
  if (text.includes('\0')) return { reason: 'it is binary' };
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

export type Format = 'markdown' | 'mdx' | 'html' | 'plain' | 'declarations';

const endings: readonly (readonly [string, Format])[] = [
  ['.d.ts', 'declarations'],
  ['.d.mts', 'declarations'],
  ['.d.cts', 'declarations'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.mdx', 'mdx'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.txt', 'plain'],
  ['.rst', 'plain'],
];

/** Undefined if files of this type are not docs. */
export function formatOf(path: string): Format | undefined {
  const name = path.toLowerCase();
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

export function withoutEnding(path: string): string {
  const ending = endings.find(([one]) => path.toLowerCase().endsWith(one))?.[0] ?? '';
  return path.slice(0, path.length - ending.length);
}
