import { stem } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { AppliesTo, InstructionEntry } from '../entry-model.ts';
import { compileGlob, type Glob } from './glob.ts';

/** What the caller is about to do. */
export interface TaskContext {
  readonly task?: string | undefined;
  readonly files?: readonly string[] | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
}

/** A task context, prepared once for all rules. */
export interface MatchContext {
  readonly task: string;
  readonly files: readonly { readonly path: string; readonly name: string; readonly isAbsolute: boolean }[];
  readonly tools: readonly string[];
  readonly entityTypes: readonly string[];
  readonly languages: readonly string[];
  /** Results per condition: many rules share the same conditions. */
  readonly known: Map<string, string | undefined>;
}

export interface ApplicableRule {
  readonly entry: InstructionEntry;
  /** Why the rule applies; empty when it does not. */
  matchReasons(situation: MatchContext): readonly string[];
}

/** Stems between spaces, so that a kind of task matches whole words in any form. */
function toStems(text: string): string {
  const words: string[] = [];
  scanTokens(text, (word, _position, _start, _end, isWhole) => {
    if (!isWhole) words.push(stem(word));
  });
  return ` ${words.join(' ')} `;
}

const toPath = (file: string): string => file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:\//.test(path);
const lower = (text: string): string => text.toLowerCase();

export function toMatchContext(situation: TaskContext): MatchContext {
  const { task = '', files = [], tools = [], entityTypes = [], languages = [] } = situation;
  return {
    task: toStems(task),
    files: files.map((file) => {
      const path = toPath(file);
      return { path, name: path.slice(path.lastIndexOf('/') + 1), isAbsolute: isAbsolute(path) };
    }),
    tools: tools.map(toListedName),
    entityTypes: entityTypes.map(lower),
    languages: languages.map(lower),
    known: new Map(),
  };
}

type Condition = (situation: MatchContext) => string | undefined;

function taskCondition(kind: string): Condition {
  const wanted = toStems(kind);
  if (wanted.trim() === '') return ({ task }) => (kind === '*' && task.trim() !== '' ? 'task: any' : undefined);
  return ({ task }) => (task.includes(wanted) ? `task: ${kind}` : undefined);
}

/** A glob without a folder matches file names; a relative glob also matches below any folder. */
function fileCondition(written: string): Condition {
  const glob = toPath(written);
  const fits = compileGlob(glob);
  const fitsBelow = compileGlob(`**/${glob}`);
  const isName = !glob.includes('/');
  return ({ files }) => {
    const found = files.find(
      (file) => fits(file.path) || (isName && fits(file.name)) || (file.isAbsolute && fitsBelow(file.path)),
    );
    return found === undefined ? undefined : `file: ${found.path} fits ${written}`;
  };
}

function namedCondition(key: 'tools' | 'entityTypes' | 'languages', label: string, written: string): Condition {
  const fits: Glob = compileGlob(key === 'tools' ? toListedName(written) : lower(written));
  return (situation) => (situation[key].some(fits) ? `${label}: ${written}` : undefined);
}

const conditionOf: { readonly [K in keyof AppliesTo]-?: (written: string) => Condition } = {
  tasks: taskCondition,
  files: fileCondition,
  tools: (name) => namedCondition('tools', 'tool', name),
  entityTypes: (name) => namedCondition('entityTypes', 'entity type', name),
  languages: (name) => namedCondition('languages', 'language', name),
};

/** Compiles a condition on first use and evaluates it once per task context. */
function cachedCondition(kind: keyof AppliesTo, written: string): Condition {
  const key = `${kind} ${written}`;
  let condition: Condition | undefined;
  return (situation) => {
    const { known } = situation;
    const reason = known.get(key);
    if (reason !== undefined || known.has(key)) return reason;
    condition ??= conditionOf[kind](written);
    const found = condition(situation);
    known.set(key, found);
    return found;
  };
}

const conditionsOf = ({ appliesTo = {} }: InstructionEntry): readonly Condition[] =>
  (Object.keys(conditionOf) as (keyof AppliesTo)[]).flatMap((kind) =>
    (appliesTo[kind] ?? []).map((written) => cachedCondition(kind, written)),
  );

const isBinding = ({ requirement }: InstructionEntry): boolean =>
  requirement === 'mandatory' || requirement === 'critical';

/** Undefined for rules that never apply by themselves: drafts, deprecated rules, and advice without conditions. */
export function toApplicableRule(entry: InstructionEntry): ApplicableRule | undefined {
  if (entry.status !== 'approved' || entry.requirement === 'deprecated') return undefined;
  const conditions = conditionsOf(entry);
  if (conditions.length > 0) {
    return {
      entry,
      matchReasons: (situation) => conditions.map((fits) => fits(situation)).filter((reason) => reason !== undefined),
    };
  }
  if (!isBinding(entry)) return undefined;
  const always = [`${entry.requirement}: applies always`];
  return { entry, matchReasons: () => always };
}

/** Binding rules first, then by priority, then by id. */
export function compareRules(a: InstructionEntry, b: InstructionEntry): number {
  const binding = Number(isBinding(b)) - Number(isBinding(a));
  return binding || a.priority - b.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
