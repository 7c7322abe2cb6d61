import { builtinCapabilities } from '../capabilities/builtin-capabilities.ts';
import { compareNames } from '../observations/compare-names.ts';
import { companyType } from '../observations/entity-name.ts';
import { isSameIdentifier } from '../observations/match-keys.ts';
import { aliasPairField, nameField, nearPairField } from '../observations/similar-names.ts';
import { truthLimits } from '../truth-limits.ts';
import type { SharedKeyRow } from './merge-store.ts';

/** An entity of a key, and the group that it belongs to. */
export interface KeyMember {
  readonly root_id: string;
  readonly canonical_name: string;
}

export interface ExplainedKey {
  /** In words. */
  readonly text: string;
  readonly members: readonly KeyMember[];
}

/** Compared per group; members of one group that share a key have almost the same name. */
const groupMembersCount = 2;

/** Undefined if the names are different: keys are coarser than the comparison, and older versions had others. */
function explainNames(type: string, members: readonly KeyMember[]): ExplainedKey | undefined {
  const compared = [...Map.groupBy(members, ({ root_id }) => root_id).values()]
    .flatMap((group) => group.slice(0, groupMembersCount))
    .slice(0, truthLimits.duplicateEntitiesCount);
  for (const [i, one] of compared.entries()) {
    for (const other of compared.slice(i + 1)) {
      const match =
        one.root_id === other.root_id ? undefined : compareNames(type, one.canonical_name, other.canonical_name);
      if (match !== undefined) return { text: match.reason, members };
    }
  }
  return undefined;
}

/** `alias=<id> <id> <name>` */
const explainAlias = (value: string, members: readonly KeyMember[]): ExplainedKey => ({
  text: `“${value.split(' ').slice(2).join(' ')}” is a name of both`,
  members,
});

/** The part of a natural key after the number; undefined if the name does not start with the number. */
function afterNumber(name: string, number: string): { readonly number: string; readonly rest: string } | undefined {
  const words = name.split(' ');
  for (let count = 1; count <= words.length; count += 1) {
    const start = words.slice(0, count).join(' ');
    if (isSameIdentifier(start, number)) return { number: start, rest: words.slice(count).join(' ') };
  }
  return undefined;
}

/** What the natural key of a type contains besides the number: `vendor`. */
const secondParts: ReadonlyMap<string, string> = new Map(
  builtinCapabilities.flatMap(({ primary_type, natural_key }) =>
    natural_key[1] === undefined ? [] : [[primary_type, natural_key[1].field.replace(/_name$/, '')] as const],
  ),
);

/** Equal numbers of different vendors are different documents. */
function explainField(
  { entity_type, match_key }: SharedKeyRow,
  members: readonly KeyMember[],
): ExplainedKey | undefined {
  const at = match_key.indexOf('=');
  const [field, value] = [match_key.slice(0, at), match_key.slice(at + 1)];
  const keyed = members.map((member) => ({ member, key: afterNumber(member.canonical_name, value) }));
  const isWhole = ({ key }: (typeof keyed)[number]): boolean => key !== undefined && key.rest !== '';
  const whole = keyed.filter(isWhole);
  const shown = `same ${field} ${keyed.find(({ key }) => key !== undefined)?.key?.number ?? value}`;
  if (whole.length === 0) return { text: shown, members };
  if (whole.length < members.length) {
    const part = secondParts.get(entity_type) ?? 'the rest of its key';
    return { text: `${shown}, one without ${part}`, members };
  }
  const compared = whole.slice(0, truthLimits.similarKeyCount);
  const same = compared.filter(({ member, key }) =>
    compared.some(
      (other) =>
        other.member.root_id !== member.root_id && compareNames(companyType, other.key!.rest, key!.rest) !== undefined,
    ),
  );
  return same.length === 0 ? undefined : { text: shown, members: same.map(({ member }) => member) };
}

/** [TR63] Why the entities of a key may be duplicates; undefined if they are not. */
export function explainKey(key: SharedKeyRow, members: readonly KeyMember[]): ExplainedKey | undefined {
  const field = key.match_key.slice(0, key.match_key.indexOf('='));
  if (field === nameField || field === nearPairField) return explainNames(key.entity_type, members);
  if (field === aliasPairField) return explainAlias(key.match_key.slice(field.length + 1), members);
  // A key that is too long for the index is a hash.
  if (field === 'sha256') return explainNames(key.entity_type, members) ?? { text: 'same long identifier', members };
  return explainField(key, members);
}
