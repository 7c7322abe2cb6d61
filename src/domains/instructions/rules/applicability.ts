import { stem } from '#kernel/text/stem.ts';
import { scanTokens } from '#kernel/text/tokens.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { Conditions, InstructionEntry } from '../entry-model.ts';
import { compileGlob, type Glob } from './glob.ts';
import { languageNames, languagesOfFile, toLanguageName } from './languages.ts';

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
  /** Under all their names, including those of the files. */
  readonly languages: readonly string[];
  /** Results per condition: many rules share the same conditions. */
  readonly known: Map<string, string | undefined>;
}

export interface ApplicableRule {
  readonly entry: InstructionEntry;
  /** It applies to every task in its scope, so it says nothing about this one. */
  readonly isGeneral: boolean;
  /** It applies if one of these matches, or one of each group. Both are empty for a general rule. */
  readonly any: readonly KeyedCondition[];
  readonly groups: readonly (readonly KeyedCondition[])[];
  /** Why the rule applies; empty when it does not. */
  matchReasons(situation: MatchContext): readonly string[];
  /** Whether the rule is for other files or languages than the given ones, so that its text does not matter. */
  isElsewhere(situation: MatchContext): boolean;
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
  const paths = files.map((file) => {
    const path = toPath(file);
    return { path, name: path.slice(path.lastIndexOf('/') + 1), isAbsolute: isAbsolute(path) };
  });
  const languageSet = [...languages.map(languageNames), ...paths.map(({ name }) => languagesOfFile(name))].flat();
  return {
    task: toStems(task),
    files: paths,
    tools: tools.map(toListedName),
    entityTypes: entityTypes.map(lower),
    languages: [...new Set(languageSet)],
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

/** Everything below the folder; `.` is the folder of the project. */
function folderCondition(written: string): Condition {
  const folder = toPath(written)
    .split('/')
    .filter((part, i) => part !== '' || i === 0)
    .join('/');
  if (folder === '' || folder === '.') return ({ files }) => (files.length > 0 ? `folder: ${written}` : undefined);
  const fits = fileCondition(`${folder}/**`);
  return (situation) => (fits(situation) === undefined ? undefined : `folder: ${written}`);
}

const toComparable = { tools: toListedName, entityTypes: lower, languages: toLanguageName } as const;

function namedCondition(key: keyof typeof toComparable, label: string, written: string): Condition {
  const fits: Glob = compileGlob(toComparable[key](written));
  return (situation) => (situation[key].some(fits) ? `${label}: ${written}` : undefined);
}

type ConditionKind = keyof Conditions;

const conditionOf: { readonly [K in ConditionKind]-?: (written: string) => Condition } = {
  tasks: taskCondition,
  files: fileCondition,
  folders: folderCondition,
  tools: (name) => namedCondition('tools', 'tool', name),
  entityTypes: (name) => namedCondition('entityTypes', 'entity type', name),
  languages: (name) => namedCondition('languages', 'language', name),
};

const kinds = Object.keys(conditionOf) as readonly ConditionKind[];

export interface KeyedCondition {
  /** Equal conditions have equal keys. */
  readonly key: string;
  readonly match: Condition;
}

/** Compiles a condition on first use and evaluates it once per task context. */
function cachedCondition(kind: ConditionKind, written: string): KeyedCondition {
  const key = `${kind} ${written}`;
  let condition: Condition | undefined;
  const match: Condition = (situation) => {
    const { known } = situation;
    const reason = known.get(key);
    if (reason !== undefined || known.has(key)) return reason;
    condition ??= conditionOf[kind](written);
    const found = condition(situation);
    known.set(key, found);
    return found;
  };
  return { key, match };
}

const conditionsOf = (written: Conditions): readonly KeyedCondition[] =>
  kinds.flatMap((kind) => (written[kind] ?? []).map((text) => cachedCondition(kind, text)));

type Reasons = (situation: MatchContext) => readonly string[];

const reasonsOf = (written: Conditions): Reasons => {
  const conditions = conditionsOf(written);
  return (situation) => conditions.map(({ match }) => match(situation)).filter((reason) => reason !== undefined);
};

const placeKinds: ReadonlySet<ConditionKind> = new Set(['files', 'folders', 'languages']);

/** True if the conditions are only about places, and the situation names places but none of these. */
function elsewhereOf(written: Conditions): (situation: MatchContext) => boolean {
  const used = kinds.filter((kind) => (written[kind] ?? []).length > 0);
  if (used.length === 0 || !used.every((kind) => placeKinds.has(kind))) return () => false;
  const reasons = reasonsOf(written);
  return (situation) =>
    (situation.files.length > 0 || situation.languages.length > 0) && reasons(situation).length === 0;
}

/** Every group must match; an empty group never does, so that a mistake does not make a rule general. */
function conjunctionOf(groups: readonly Conditions[]): Reasons {
  const each = groups.map(reasonsOf);
  return (situation) => {
    const found = each.map((reasons) => reasons(situation));
    return found.some((reasons) => reasons.length === 0) ? [] : found.map((reasons) => reasons.join(' or '));
  };
}

export const isBinding = ({ requirement }: Pick<InstructionEntry, 'requirement'>): boolean =>
  requirement === 'mandatory' || requirement === 'critical';

/** Drafts and deprecated rules are never given to agents. */
export const isServed = ({ status, requirement }: InstructionEntry): boolean =>
  status === 'approved' && requirement !== 'deprecated';

const everywhere = 'always';
const inWorkspace = 'workspace: ';
const ofRequirement = ': applies always';

/** Whether a reason says nothing about the task: the rule applies to every task of its scope. */
export const isGeneralReason = (reason: string): boolean =>
  reason === everywhere || reason.startsWith(inWorkspace) || reason.endsWith(ofRequirement);

/** Why a rule applies to every task of its scope; undefined when it has conditions, or is advice without any. */
function generalReason(entry: InstructionEntry, hasConditions: boolean): string | undefined {
  if (entry.appliesTo?.always === true) return everywhere;
  if (hasConditions) return undefined;
  if (isBinding(entry)) return `${entry.requirement}${ofRequirement}`;
  // The scope is checked before, so the request names the same workspace.
  return entry.workspaceId === undefined ? undefined : `${inWorkspace}${entry.workspaceId}`;
}

/** Undefined for rules that never apply by themselves: drafts, deprecated rules, and advice without conditions. */
export function toApplicableRule(entry: InstructionEntry): ApplicableRule | undefined {
  if (!isServed(entry)) return undefined;
  const { all = [], always: _always, ...written } = entry.appliesTo ?? {};
  const hasAny = kinds.some((kind) => (written[kind] ?? []).length > 0);
  const general = generalReason(entry, hasAny || all.length > 0);
  if (general !== undefined) {
    const reasons = [general];
    return { entry, isGeneral: true, any: [], groups: [], matchReasons: () => reasons, isElsewhere: () => false };
  }
  if (!hasAny && all.length === 0) return undefined;
  const anyReasons = reasonsOf(written);
  const together = all.length === 0 ? () => [] : conjunctionOf(all);
  const isAnyElsewhere = hasAny ? elsewhereOf(written) : () => true;
  const areGroupsElsewhere = all.map(elsewhereOf);
  return {
    entry,
    isGeneral: false,
    any: conditionsOf(written),
    groups: all.map(conditionsOf),
    matchReasons: (situation) => [...anyReasons(situation), ...together(situation)],
    isElsewhere: (situation) =>
      isAnyElsewhere(situation) && (all.length === 0 || areGroupsElsewhere.some((isOut) => isOut(situation))),
  };
}

const scopeOf = ({ userId, workspaceId, teamIds = [] }: InstructionEntry): string =>
  [
    ...(workspaceId === undefined ? [] : [`workspace ${workspaceId}`]),
    ...(userId === undefined ? [] : [`user ${userId}`]),
    ...(teamIds.length === 0 ? [] : [`team ${teamIds.join(' or ')}`]),
  ].join(' and ');

/** When `applicable` returns the rule, for the person who has just written it. */
export function describeAppearance(entry: InstructionEntry): string {
  if (entry.status === 'deprecated' || entry.requirement === 'deprecated') return 'nowhere: it is deprecated';
  if (!isServed(entry)) return `nowhere until it is approved: its status is ${entry.status}`;
  const scope = scopeOf(entry);
  const where = scope === '' ? '' : ` for ${scope}`;
  const rule = toApplicableRule(entry);
  if (rule?.isGeneral === true) return `in every answer of instructions/applicable${where}`;
  const byText = 'in may_apply when its text fits the task';
  const when = rule === undefined ? byText : `when its conditions match, otherwise ${byText}`;
  return `${when}${where}; appliesTo {"always": true} makes it apply always`;
}

/** Binding rules first, then by priority, then those with conditions. */
export const compareGroups = (a: ApplicableRule, b: ApplicableRule): number =>
  Number(isBinding(b.entry)) - Number(isBinding(a.entry)) ||
  a.entry.priority - b.entry.priority ||
  Number(a.isGeneral) - Number(b.isGeneral);

/** By group, then by id. */
export const compareRules = (a: ApplicableRule, b: ApplicableRule): number =>
  compareGroups(a, b) || (a.entry.id < b.entry.id ? -1 : Number(a.entry.id > b.entry.id));
