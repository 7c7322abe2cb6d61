import type { Output } from '../../api/call.ts';
import { Badge, type Tone } from '../../kit/feedback.tsx';
import { plural } from '../../kit/plural.ts';

export type Rule = NonNullable<Output<'instructions_get_enhanced'>['item']>;
export type ListedRule = Output<'instructions_query'>['items'][number];
export type Requirement = Rule['requirement'];
export type AppliesTo = NonNullable<Rule['appliesTo']>;
export type Conditions = NonNullable<AppliesTo['all']>[number];

export const statuses = ['draft', 'review', 'approved', 'deprecated'] as const;
export const tiers = ['P1', 'P2', 'P3', 'P4'] as const;
export const requirements = ['mandatory', 'critical', 'recommended', 'optional', 'deprecated'] as const;

const requirementTones: Partial<Record<Requirement, Tone>> = { mandatory: 'accent', critical: 'danger' };
const statusTones: Partial<Record<Rule['status'], Tone>> = { draft: 'attention', review: 'attention' };

export const RequirementBadge = ({ requirement }: { readonly requirement: Requirement }) => (
  <Badge tone={requirementTones[requirement]}>{requirement}</Badge>
);

export const StatusBadge = ({ status }: { readonly status: Rule['status'] }) => (
  <Badge tone={statusTones[status]}>{status}</Badge>
);

export const isOverdue = ({ nextReviewDue }: Pick<ListedRule, 'nextReviewDue'>): boolean =>
  nextReviewDue !== undefined && Date.parse(nextReviewDue) < Date.now();

/** The conditions of a rule, in the order in which people think of them. */
export const conditionKinds = [
  { kind: 'tasks', label: 'task is' },
  { kind: 'files', label: 'file matches' },
  { kind: 'folders', label: 'file is below' },
  { kind: 'languages', label: 'language is' },
  { kind: 'tools', label: 'tool is' },
  { kind: 'entityTypes', label: 'about a' },
] as const satisfies readonly { readonly kind: keyof Conditions; readonly label: string }[];

const ConditionChips = ({ of: conditions }: { readonly of: Conditions }) =>
  conditionKinds.flatMap(({ kind, label }) =>
    (conditions[kind] ?? []).map((value) => (
      <span className="chip" key={`${kind} ${value}`}>
        {label} <bdi className="mono">{value}</bdi>
      </span>
    )),
  );

const hasConditions = (conditions: Conditions): boolean =>
  conditionKinds.some(({ kind }) => (conditions[kind] ?? []).length > 0);

interface AppliesWhenProps {
  readonly appliesTo: AppliesTo | undefined;
  /** Binding rules apply without conditions. */
  readonly requirement: Requirement;
}

/** When agents get the rule, as a person would say it. */
export function AppliesWhen({ appliesTo = {}, requirement }: AppliesWhenProps) {
  const { always = false, all = [], ...any } = appliesTo;
  const isConditional = hasConditions(any) || all.length > 0;
  if (always || (!isConditional && (requirement === 'mandatory' || requirement === 'critical'))) {
    return (
      <div className="chips">
        <span className="chip">always</span>
      </div>
    );
  }
  if (!isConditional) {
    return <p className="soft">No conditions: agents get it when its text fits the task.</p>;
  }
  return (
    <div className="chips">
      {hasConditions(any) && <ConditionChips of={any} />}
      {all.length > 0 && hasConditions(any) && <span className="soft">or</span>}
      {all.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups have no names and never move
        <span className="chips" key={index}>
          {index > 0 && <span className="soft">and</span>}
          <ConditionChips of={group} />
        </span>
      ))}
    </div>
  );
}

export const countRules = (count: number): string => plural(count, 'rule');
