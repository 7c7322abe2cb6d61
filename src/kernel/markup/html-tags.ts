const markupLimits = {
  /** A longer tag is text. */
  tagChars: 8_000,
} as const;

/** The entities that occur in docs and articles. */
const namedEntities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', shy: '' },
  ...{ ndash: '–', mdash: '—', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»' },
  ...{ larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', rArr: '⇒', times: '×', divide: '÷', minus: '−' },
  ...{ plusmn: '±', le: '≤', ge: '≥', ne: '≠', middot: '·', bull: '•', copy: '©', reg: '®', trade: '™', deg: '°' },
  ...{ para: '¶', sect: '§', euro: '€', pound: '£', yen: '¥', micro: 'µ', auml: 'ä', ouml: 'ö', uuml: 'ü' },
  ...{ Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ' },
  ...{ zwj: '', zwnj: '', lbrace: '{', rbrace: '}', lbrack: '[', rbrack: ']', lpar: '(', rpar: ')', colon: ':' },
  ...{ num: '#', ast: '*', sol: '/', bsol: '\\', lowbar: '_', grave: '`', verbar: '|', excl: '!', commat: '@' },
};

function toCharacter(reference: string, body: string): string {
  if (!body.startsWith('#')) return namedEntities[body] ?? reference;
  const isHex = body[1] === 'x' || body[1] === 'X';
  const code = Number.parseInt(body.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}

/** Decodes `&lt;` and `&#60;`. */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replaceAll(/&(#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});/g, toCharacter) : text;

export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
}

export type Token = { readonly text: string } | Tag;

/** Elements whose content is not markup. */
const rawTextTags: ReadonlySet<string> = new Set('script style textarea title template noscript svg math'.split(' '));

const tagName = /^<\/?([A-Za-z][A-Za-z0-9:-]{0,40})/;

/** The end of the tag that begins at `at`. A `>` in quotes does not end it. */
function tagEnd(html: string, at: number): number {
  const stop = Math.min(html.length, at + markupLimits.tagChars);
  let quote = '';
  for (let end = at + 1; end < stop; end += 1) {
    const char = html[end]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') return end;
    // Another tag begins, so this is text. Stopping here keeps the scan linear.
    else if (char === '<') return -1;
    else if ((char === '"' || char === "'") && html[end - 1] === '=') quote = char;
  }
  return -1;
}

/**
 * Runs in linear time, however deep elements are nested. Of elements whose content is not markup only the tag is
 * returned, and for `title` also the text.
 */
export function* readTags(html: string): Generator<Token> {
  // ASCII only: lower-casing other letters may change their length and so all later positions.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      yield { text: html.slice(at) };
      return;
    }
    if (open > at) yield { text: html.slice(at, open) };
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4);
      at = close === -1 ? html.length : close + 3;
      continue;
    }
    const name = tagName.exec(html.slice(open, open + 48))?.[1]?.toLowerCase();
    const isOther = html[open + 1] === '!' || html[open + 1] === '?';
    const end = name === undefined && !isOther ? -1 : tagEnd(html, open);
    if (end === -1) {
      yield { text: '<' };
      at = open + 1;
      continue;
    }
    at = end + 1;
    if (name === undefined) continue;
    const isEnd = html[open + 1] === '/';
    yield { name, isEnd, attributes: html.slice(open + 1 + (isEnd ? 1 : 0) + name.length, end) };
    if (!isEnd && rawTextTags.has(name) && html[end - 1] !== '/') {
      const close = lower.indexOf(`</${name}`, at);
      if (name === 'title' && close !== -1) yield { text: html.slice(at, close) };
      at = close === -1 ? html.length : close;
    }
  }
}

const attribute = /(?:^|\s)([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;

/** `name` is in lower case. */
export function attributeOf(tag: Tag, name: string): string | undefined {
  for (const [, key, ...values] of tag.attributes.matchAll(attribute)) {
    const value = values.find((candidate) => candidate !== undefined);
    if (key?.toLowerCase() === name && value !== undefined) return decodeEntities(value);
  }
  return undefined;
}
