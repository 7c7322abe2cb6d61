import { notebookLimits } from '../notebook-limits.ts';
import { type ErrorEntry, positionAt, type SyntaxReport, toWarning, type WarningEntry } from './syntax-report.ts';

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));
/** https://html.spec.whatwg.org/#void-elements and the obsolete ones. */
const voids = toSet(
  'area base br col embed hr img input link meta source track wbr param frame basefont bgsound keygen command',
);
/** Elements whose end tag is optional. */
const openEnded = toSet('li dt dd p rt rp optgroup option colgroup caption thead tbody tfoot tr td th html head body');
/** Elements whose content is text up to their end tag. */
const rawText = toSet('script style textarea title xmp iframe noembed noframes');
/** Elements that are closed by the start of one of these. */
const siblings: Readonly<Record<string, string>> = {
  li: 'li',
  p: 'p',
  option: 'option',
  tr: 'tr td th',
  td: 'td th',
  th: 'td th',
  dt: 'dt dd',
  dd: 'dt dd',
};

const tagStart = /<(?:!--|!\[CDATA\[|[!?]|\/?[A-Za-z])/g;
const tagName = /[^\s/>]+/y;
const attribute = /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"|'|[^\s"'>][^\s>]*)?)?)?/y;

interface Open {
  readonly name: string;
  readonly at: number;
}

/** Reports what a browser would have to repair: tags, comments and attribute values that are not closed. */
export function validateHtml(text: string): SyntaxReport {
  const errors: ErrorEntry[] = [];
  const warnings: WarningEntry[] = [];
  const open: Open[] = [];
  let foreignDepth = 0;
  let at = 0;

  const report = (offset: number, message: string): void => {
    // Errors beyond the limit are only counted, and computing a position takes time.
    const isShown = errors.length < notebookLimits.shownErrorsCount;
    errors.push({ message, code: 'HTML_SYNTAX', ...(isShown ? positionAt(text, offset) : {}) });
  };
  const warn = (offset: number, message: string, code: string): void => {
    const isShown = warnings.length < notebookLimits.shownWarningsCount;
    warnings.push(isShown ? toWarning(positionAt(text, offset), message, code) : { message, code });
  };
  const isForeign = (name: string): boolean => name === 'svg' || name === 'math';

  function pop(): Open | undefined {
    const last = open.pop();
    if (last !== undefined && isForeign(last.name)) foreignDepth -= 1;
    return last;
  }

  /** Moves past the end of a comment or a declaration. */
  function skip(start: number, end: string, what: string): void {
    const found = text.indexOf(end, at);
    if (found === -1) report(start, `${what} is never closed`);
    at = found === -1 ? text.length : found + end.length;
  }

  /** From after the name to after `>`; undefined when the tag is not closed. */
  function readAttributes(start: number, name: string): { readonly isSelfClosed: boolean } | undefined {
    const seen = new Set<string>();
    for (;;) {
      attribute.lastIndex = at;
      const found = attribute.exec(text);
      const before = at;
      at = found === null ? at : attribute.lastIndex;
      const quote = text[at - 1];
      if (found?.[1] !== undefined) {
        const key = found[1].toLowerCase();
        if (seen.has(key)) warn(before, `the attribute ${key} occurs twice in <${name}>`, 'DUPLICATE_ATTRIBUTE');
        seen.add(key);
        if ((quote === '"' || quote === "'") && /=\s*["']$/.test(found[0])) {
          const end = text.indexOf(quote, at);
          if (end === -1) {
            report(at - 1, `the value of ${key} is never closed`);
            return undefined;
          }
          at = end + 1;
          continue;
        }
      }
      if (text[at] === '>') {
        at += 1;
        return { isSelfClosed: text[at - 2] === '/' };
      }
      if (at >= text.length) {
        report(start, `the tag <${name} is never closed`);
        return undefined;
      }
      if (at === before) at += 1;
    }
  }

  function startTag(start: number, name: string): void {
    const tag = readAttributes(start, name);
    if (tag === undefined || voids.has(name)) return;
    if (tag.isSelfClosed) {
      if (foreignDepth === 0 && !isForeign(name))
        warn(start, `"/>" closes nothing: write <${name}></${name}>`, 'SELF_CLOSING');
      return;
    }
    if (Object.hasOwn(siblings, name))
      while (open.length > 0 && siblings[name]!.split(' ').includes(open.at(-1)!.name)) pop();
    if (foreignDepth === 0 && rawText.has(name)) {
      const closer = closers.get(name)!;
      closer.lastIndex = at;
      const end = closer.exec(text);
      if (end === null) report(start, `<${name}> is never closed`);
      const last = end === null ? -1 : text.indexOf('>', closer.lastIndex);
      at = last === -1 ? text.length : last + 1;
      return;
    }
    open.push({ name, at: start });
    if (isForeign(name)) foreignDepth += 1;
  }

  function endTag(start: number, name: string): void {
    readAttributes(start, `/${name}`);
    if (open.findLastIndex((element) => element.name === name) === -1) {
      report(start, `</${name}> closes nothing that is open`);
      return;
    }
    for (let last = pop(); last !== undefined && last.name !== name; last = pop())
      if (!openEnded.has(last.name)) report(last.at, `<${last.name}> is not closed before </${name}>`);
  }

  function readTag(start: number, word: string): void {
    if (word === '<!--') {
      // `<!-->` and `<!--->` are empty comments.
      if (/^-?>/.test(text.slice(at, at + 2))) at = text.indexOf('>', at) + 1;
      else skip(start, '-->', 'the comment');
    } else if (word === '<![CDATA[') skip(start, ']]>', 'the CDATA section');
    else if (word === '<!' || word === '<?') skip(start, '>', word === '<!' ? 'the declaration' : 'the instruction');
    else {
      const isEnd = word.startsWith('</');
      tagName.lastIndex = start + (isEnd ? 2 : 1);
      const name = tagName.exec(text)![0].toLowerCase();
      at = tagName.lastIndex;
      if (isEnd) endTag(start, name);
      else startTag(start, name);
    }
  }

  for (;;) {
    tagStart.lastIndex = at;
    const found = tagStart.exec(text);
    if (found === null) break;
    at = tagStart.lastIndex;
    readTag(found.index, found[0]);
  }
  for (const element of open) if (!openEnded.has(element.name)) report(element.at, `<${element.name}> is never closed`);
  return { errors: errors.toSorted((a, b) => lineOf(a) - lineOf(b) || (a.column ?? 0) - (b.column ?? 0)), warnings };
}

const lineOf = ({ line }: ErrorEntry): number => line ?? Number.POSITIVE_INFINITY;

const closers = new Map([...rawText].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')]));
