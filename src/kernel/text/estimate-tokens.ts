/** The pairs of letters that make up most of English text. A word of other pairs is cut into more tokens. */
const usualPairs =
  'ab ac ad af ag ai al am an ap ar as at au ay ba be bj bl bo by ca ce ch ck cl co cr ct da db dd de di do ds ea ec ed ee ef eg el em en ep eq er es et ev ew ex ey fa fe ff fi fo fr ga ge gi go gr gs gu ha he hi ho ht ic id ie if ig il im in io ip ir is it iv je js ke ks la ld le li ll lo ls lt ma md me mi mo mp ms na nc nd ne nf ng nn no ns nt oa ob oc od of og ok ol om on oo op or os ot ou ov ow pa pe pl po pp pr pt qu ra rc rd re rf rg ri rn ro rr rs rt ru rv ry sa sc se sh si sj so ss st su sw sy ta tc te th ti to tr ts tt tu ty uc ue ul um un up ur us ut va ve vi wa we wh wi wo wr xp xt yp';

const firstLower = 97;
const lettersCount = 26;

const isUsual = new Uint8Array(lettersCount * lettersCount);
for (const pair of usualPairs.split(' '))
  isUsual[(pair.charCodeAt(0) - firstLower) * lettersCount + pair.charCodeAt(1) - firstLower] = 1;

/** Measured against two tokenizers on prose, code, JSON, random letters and other scripts: never below them. */
const cost = {
  unusualPair: 0.8,
  /** Per letter of a word after the eighth. */
  furtherLetter: 1 / 12,
  longWordChars: 8,
  digitsPerToken: 3,
  blanksPerToken: 16,
  lineEndsPerToken: 8,
  mark: 0.8,
  /** Letters of other alphabets; then other scripts and signs; then signs beyond the basic plane. */
  alphabet: 1.25,
  script: 2.5,
  supplementary: 3,
} as const;

/** The sum is rounded up, and short texts have little to average over. */
const spareTokens = 1;

const isLower = (code: number): boolean => code >= 97 && code <= 122;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isBlank = (code: number): boolean => code === 32 || code === 9;
const isLineEnd = (code: number): boolean => code === 10 || code === 13;

function endOfRun(text: string, start: number, isPart: (code: number) => boolean): number {
  let end = start + 1;
  while (end < text.length && isPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** `camelCase` is two words, `HTTPServer` too. */
function endOfWord(text: string, start: number): number {
  const upperEnd = isUpper(text.charCodeAt(start)) ? endOfRun(text, start, isUpper) : start;
  if (upperEnd - start > 1) return upperEnd;
  return endOfRun(text, start, isLower);
}

const toLower = (code: number): number => (isUpper(code) ? code + 32 : code) - firstLower;

function wordCost(text: string, start: number, end: number): number {
  let unusual = 0;
  for (let i = start; i < end - 1; i += 1) {
    const pair = toLower(text.charCodeAt(i)) * lettersCount + toLower(text.charCodeAt(i + 1));
    if (isUsual[pair] === 0) unusual += 1;
  }
  return 1 + unusual * cost.unusualPair + Math.max(0, end - start - cost.longWordChars) * cost.furtherLetter;
}

function signCost(code: number): number {
  if (code < 0x80) return cost.mark;
  if (code < 0x800) return cost.alphabet;
  // Each half of a pair counts.
  return code >= 0xd800 && code <= 0xdfff ? cost.supplementary / 2 : cost.script;
}

/** How many tokens a model needs for a text: an upper estimate, at the cost of one pass over its characters. */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (isLower(code) || isUpper(code)) {
      end = endOfWord(text, at);
      sum += wordCost(text, at, end);
    } else if (isDigit(code)) {
      end = endOfRun(text, at, isDigit);
      sum += Math.ceil((end - at) / cost.digitsPerToken);
    } else if (isBlank(code)) {
      end = endOfRun(text, at, isBlank);
      // A single blank belongs to the word after it.
      if (end - at > 1) sum += Math.ceil((end - at) / cost.blanksPerToken);
    } else if (isLineEnd(code)) {
      end = endOfRun(text, at, isLineEnd);
      sum += Math.ceil((end - at) / cost.lineEndsPerToken);
    } else sum += signCost(code);
    at = end;
  }
  return text === '' ? 0 : Math.ceil(sum) + spareTokens;
}
