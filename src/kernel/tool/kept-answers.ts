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
   * same object as long as it is the same, and never changes it; whoever freezes the whole answer promises the same of all
   * that is in it. What was checked and printed before is not done again.
   */
  print(value: AnswerObject, key: string, part: object, check: Checker): PrintedAnswer;
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

const isGivenAgain = (value: AnswerObject, known: Kept): boolean => value === known.value && Object.isFrozen(value);

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
  /** By their parts, the oldest first. */
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

  return {
    print(value, key, part, check) {
      const known = answers.get(part);
      const isChecked = known?.check === check;
      if (isChecked && (isGivenAgain(value, known) || isSame(value, known.value, known.names, key))) {
        known.isUsed = true;
        return withTwin(known);
      }
      const { [key]: _part, ...rest } = value;
      check(isChecked ? rest : value);
      const made = make(value, key, part, check, known);
      drop(part);
      answers.set(part, made);
      heldChars += made.text.length;
      makeRoom();
      return withTwin(made);
    },
  };
}
