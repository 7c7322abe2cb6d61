import { limits } from '../limits.ts';

export type AnswerObject = Readonly<Record<string, unknown>>;

/** An answer in JSON, and that JSON once more as a JSON string, for the text block that repeats it. */
export interface PrintedAnswer {
  readonly text: string;
  readonly twin: string;
}

/** Who asks: a tool. Throws when the value is not in its shape. */
type Checker = (value: AnswerObject) => void;

export interface KeptAnswers {
  /**
   * `value` in the very bytes that JSON.stringify gives. Its member `key` is known by its object: whoever holds it gives the
   * same object as long as it is the same, and never changes it. What was checked and printed before is not done again.
   */
  print(value: AnswerObject, key: string, part: object, check: Checker): PrintedAnswer;
  /** The same of a whole answer: whoever freezes it promises that all that is in it stays as it is. */
  printFrozen(value: AnswerObject, check: Checker): PrintedAnswer;
}

/** Where the part stands in a printed answer. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Without the twin: it is made from the text in a moment, and would take as much room again. */
interface Kept {
  readonly text: string;
  readonly value: AnswerObject;
  readonly names: readonly string[];
  readonly inText: Span;
  readonly check: Checker;
  /** Since the last time that room was made. */
  isUsed: boolean;
}

const withTwin = ({ text }: Kept): PrintedAnswer => ({ text, twin: JSON.stringify(text) });

/** Member by member, in their order; one that is an object may have changed inside, but for the part itself. */
function isSame(a: AnswerObject, b: AnswerObject, names: readonly string[], key: string): boolean {
  let at = 0;
  for (const name in a) {
    const member = a[name];
    if (name !== names[at] || member !== b[name]) return false;
    if (typeof member === 'object' && name !== key) return false;
    at += 1;
  }
  return at === names.length;
}

/** The members around the part, printed: those before it with its name and colon, and those after it. */
function printAround(value: AnswerObject, key: string): readonly [string, string] {
  const around: [string, string] = ['{', ''];
  let side = 0;
  let isFirst = true;
  for (const name of Object.keys(value)) {
    const member = name === key ? '' : JSON.stringify(value[name]);
    // What has no JSON is left out, as JSON.stringify does.
    if (member === undefined) continue;
    around[side] += `${isFirst ? '' : ','}${JSON.stringify(name)}:${member}`;
    isFirst = false;
    if (name === key) side = 1;
  }
  around[1] += '}';
  return around;
}

/** `charsMax`: for tests. */
export function createKeptAnswers(charsMax: number = limits.keptAnswersChars): KeptAnswers {
  /** By their parts, or by themselves if they are frozen; the oldest first. */
  const answers = new Map<object, Kept>();
  let heldChars = 0;

  function drop(part: object): void {
    const kept = answers.get(part);
    if (kept === undefined) return;
    heldChars -= kept.text.length;
    answers.delete(part);
  }

  /** Those that were not used since the last time go; the others get another turn. */
  function makeRoom(): void {
    for (const [part, kept] of answers) {
      if (heldChars <= charsMax) return;
      if (kept.isUsed) {
        kept.isUsed = false;
        answers.delete(part);
        answers.set(part, kept);
      } else drop(part);
    }
  }

  function make(value: AnswerObject, key: string, part: object, check: Checker, known: Kept | undefined): Kept {
    const partText = known === undefined ? JSON.stringify(part) : known.text.slice(known.inText.from, known.inText.to);
    const [before, after] = printAround(value, key);
    return {
      value,
      names: Object.keys(value),
      // Joined, not added: what is kept is one piece and holds no other.
      text: [before, partText, after].join(''),
      inText: { from: before.length, to: before.length + partText.length },
      check,
      isUsed: false,
    };
  }

  function keep(part: object, made: Kept): PrintedAnswer {
    drop(part);
    answers.set(part, made);
    heldChars += made.text.length;
    makeRoom();
    return withTwin(made);
  }

  function giveAgain(known: Kept): PrintedAnswer {
    known.isUsed = true;
    return withTwin(known);
  }

  return {
    print(value, key, part, check) {
      const known = answers.get(part);
      const isChecked = known?.check === check;
      if (isChecked && isSame(value, known.value, known.names, key)) return giveAgain(known);
      const { [key]: _part, ...rest } = value;
      check(isChecked ? rest : value);
      return keep(part, make(value, key, part, check, known));
    },

    printFrozen(value, check) {
      const known = answers.get(value);
      if (known?.check === check) return giveAgain(known);
      check(value);
      const text = JSON.stringify(value);
      return keep(value, { text, value, names: [], inText: { from: 0, to: text.length }, check, isUsed: false });
    },
  };
}
