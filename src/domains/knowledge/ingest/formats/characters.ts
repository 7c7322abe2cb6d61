/** What docs use of the names of HTML. */
const named: Readonly<Record<string, string>> = {
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
  if (!body.startsWith('#')) return named[body] ?? reference;
  const isHex = body[1] === 'x' || body[1] === 'X';
  const code = Number.parseInt(body.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD';
}

/** `&lt;` and `&#60;` as the characters they stand for. */
export const decodeCharacters = (text: string): string =>
  text.includes('&') ? text.replaceAll(/&(#[xX]?[0-9a-fA-F]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});/g, toCharacter) : text;
