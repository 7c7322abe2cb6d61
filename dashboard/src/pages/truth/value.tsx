import { useCallback } from 'react';
import { toDisplayName, toReadableName } from '../../../../src/domains/truth/entities/display-name.ts';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Time } from '../../kit/time.tsx';

const shownChars = 4_000;
const namesCount = 1_000;

/** Characters that reverse the text after them could make a value or a name look like another one. */
export const showControls = (text: string): string =>
  text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, (one) => `⟨U+${one.charCodeAt(0).toString(16).toUpperCase()}⟩`);

const isWhole = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

export const toText = (value: unknown): string => {
  if (value === undefined || value === null) return 'no value';
  if (Array.isArray(value) && value.every(isWhole)) return value.join(', ');
  return isWhole(value) ? String(value) : JSON.stringify(value);
};

/** A stored value as text, with its own direction, so that right-to-left text does not move its surroundings. */
export function Value({ value, chars = shownChars }: { readonly value: unknown; readonly chars?: number }) {
  const text = toText(value);
  return <bdi className="truth-value">{showControls(text.length > chars ? `${text.slice(0, chars)}…` : text)}</bdi>;
}

export { plural } from '../../kit/plural.ts';

export type Sourced = Pick<
  Output<'get_entity_overview'>['fields'][number],
  'agent_id' | 'actor' | 'source' | 'source_record'
>;

/** What the source was called, or what it is. A source without a name is called after its agent. */
export const nameOfSource = ({ agent_id, source, source_record }: Sourced): string =>
  (source === agent_id ? undefined : source) ?? source_record.file_name ?? toLabel(source_record.type);

/** Where a value comes from, in a few words: what the source was called, and who stated it. */
export function Source({ of }: { readonly of: Sourced }) {
  const who = of.agent_id ?? of.actor;
  return (
    <>
      <bdi>{showControls(nameOfSource(of))}</bdi>
      {who !== undefined && (
        <>
          {' by '}
          <Actor of={who} />
        </>
      )}
    </>
  );
}

/** A day, month or year stays as it was stated; a moment is shown as a day with the exact time on hover. */
export const Since = ({ at }: { readonly at: string }) =>
  at.length <= 10 ? <span>{at}</span> : <Time at={at} as="day" />;

/** The name as it was written, where there is one. */
export const displayName = (
  canonicalName: string,
  fields: readonly { readonly field: string; readonly value: unknown }[],
): string => showControls(toDisplayName(canonicalName, (name) => fields.find(({ field }) => field === name)?.value));

export const fieldsOf = (snapshot: Readonly<Record<string, unknown>> = {}) =>
  Object.entries(snapshot).map(([field, value]) => ({ field, value }));

interface NamedEntity {
  readonly entity_id: string;
  readonly canonical_name: string;
}

/** Names of entities of which an answer contains only the canonical ones; these are shown until the others are there. */
export function useEntityNames(entityIds: readonly string[]): (entity: NamedEntity) => string {
  const entity_ids = [...new Set(entityIds)].sort().slice(0, namesCount);
  const { data } = useTool('name_entities', { entity_ids }, { enabled: entity_ids.length > 0, keepsPrevious: true });
  const names = data?.names;
  return useCallback(
    ({ entity_id, canonical_name }) => showControls(names?.[entity_id] ?? toReadableName(canonical_name)),
    [names],
  );
}

/** `due_date`, `FinancialRecord` */
export const toLabel = (name: string): string =>
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
