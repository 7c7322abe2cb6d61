import { useMemo } from 'react';
import { useCaller } from '../../api/caller.tsx';
import { type AppliesTo, conditionKinds, type Requirement, type Rule } from './rule-facts.tsx';

type Kind = (typeof conditionKinds)[number]['kind'];

/** A rule in the form of its fields on the screen: lists are lines of text. */
export interface RuleDraft extends Readonly<Record<Kind, string>> {
  readonly title: string;
  readonly body: string;
  readonly owner: string;
  readonly requirement: Requirement;
  readonly priority: string;
  readonly categories: string;
  readonly tags: string;
  readonly always: boolean;
}

const separator = ', ';
const toLine = (list: readonly string[] | undefined): string => (list ?? []).join(separator);
const toList = (line: string): readonly string[] => [
  ...new Set(
    line
      .split(/[,\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
];

export const emptyDraft: RuleDraft = {
  title: '',
  body: '',
  owner: '',
  requirement: 'recommended',
  priority: '50',
  categories: '',
  tags: '',
  always: false,
  tasks: '',
  files: '',
  folders: '',
  languages: '',
  tools: '',
  entityTypes: '',
};

export const toDraft = (rule: Rule): RuleDraft => ({
  ...emptyDraft,
  title: rule.title,
  body: rule.body,
  owner: rule.owner,
  requirement: rule.requirement,
  priority: String(rule.priority),
  categories: toLine(rule.categories),
  tags: toLine(rule.tags),
  always: rule.appliesTo?.always === true,
  ...Object.fromEntries(conditionKinds.map(({ kind }) => [kind, toLine(rule.appliesTo?.[kind])])),
});

const targetFields = ['always', ...conditionKinds.map(({ kind }) => kind)] as const;

function toAppliesTo(draft: RuleDraft, all: AppliesTo['all']): object {
  const lists = conditionKinds.map(({ kind }) => [kind, toList(draft[kind])] as const);
  return {
    ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    ...(draft.always && { always: true }),
    // Groups are kept: this form does not show them as fields.
    ...(all && all.length > 0 && { all }),
  };
}

/** The fields that a person changed, as the tools take them. Others stay as they are. */
export function changedFields(before: RuleDraft, after: RuleDraft, all?: AppliesTo['all']): Record<string, unknown> {
  const isChanged = (field: keyof RuleDraft): boolean => before[field] !== after[field];
  return {
    ...(isChanged('title') && { title: after.title.trim() }),
    ...(isChanged('body') && { body: after.body }),
    ...(isChanged('owner') && { owner: after.owner.trim() }),
    ...(isChanged('requirement') && { requirement: after.requirement }),
    ...(isChanged('priority') && { priority: Number(after.priority) }),
    ...(isChanged('categories') && { categories: toList(after.categories) }),
    ...(isChanged('tags') && { tags: toList(after.tags) }),
    ...(targetFields.some(isChanged) && { appliesTo: toAppliesTo(after, all) }),
  };
}

/** What differs between two drafts, for a person. */
export const compareDrafts = (theirs: RuleDraft, mine: RuleDraft) =>
  Object.fromEntries(
    (Object.keys(mine) as (keyof RuleDraft)[])
      .filter((field) => field !== 'body' && theirs[field] !== mine[field])
      .map((field) => [field, { before: theirs[field], after: mine[field] }]),
  );

export interface KeptDraft {
  /** The state of the rule that was edited. */
  readonly base: string;
  readonly original: RuleDraft;
  readonly draft: RuleDraft;
}

/** Another tenant may have a rule of the same id. */
const keyOf = (tenant: string, id: string): string => `rule-draft:${tenant}:${id}`;

/** The kept text of a rule, or of a new one, which has no id. It survives a reload and a look at another page. */
export function useKeptDraft<T>(id = ''): { load(): T | undefined; keep(kept: T | undefined): void } {
  const { tenant } = useCaller();
  const key = keyOf(tenant, id);
  return useMemo(
    () => ({
      load: () => (JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null) ?? undefined,
      keep(kept) {
        if (kept === undefined) sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, JSON.stringify(kept));
      },
    }),
    [key],
  );
}
