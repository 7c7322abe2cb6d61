import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Capability } from '../capabilities/capability.ts';
import type { Fields } from '../observations/observation.ts';

/** The parts of a body that are blanked: whole fields, and single items of lists. */
export interface Blanked {
  readonly fields: ReadonlySet<string>;
  readonly items: ReadonlyMap<string, ReadonlySet<number>>;
}

interface Claim {
  readonly fields: readonly string[];
  readonly item?: { readonly field: string; readonly index: number };
}

const itemPattern = /^(.+)\[(\d+)\]$/;

/** The part of a body from which the observation with this role came. */
function claimOf(rules: Pick<Capability, 'extract'> | undefined, body: Fields, role: string): Claim {
  const [, field, index] = itemPattern.exec(role) ?? [];
  if (field !== undefined) {
    return Array.isArray(body[field]) ? { fields: [], item: { field, index: Number(index) } } : { fields: [field] };
  }
  const rule = rules?.extract.find((one) => one.kind === 'field_value' && one.field === role);
  const prefix = rule?.kind === 'field_value' ? (rule.prefix ?? '') : '';
  const prefixed = prefix === '' ? [] : Object.keys(body).filter((key) => key.startsWith(prefix));
  return { fields: [...new Set([role, ...prefixed])] };
}

const isOwn = (role: string): boolean => role === 'self';

export interface BodyRoles {
  readonly forgotten: readonly string[];
  readonly kept: readonly string[];
}

/**
 * A body is the statement of its own entity. Forgetting that one leaves only the parts about others; forgetting one of
 * the others removes its part, also from the statement of the own entity.
 */
export function planBlanks(
  rules: Pick<Capability, 'extract'> | undefined,
  body: Fields,
  { forgotten, kept }: BodyRoles,
): Blanked {
  const fields = new Set<string>();
  const items = new Map<string, Set<number>>();
  const addItem = (field: string, index: number) => items.set(field, (items.get(field) ?? new Set()).add(index));
  if (forgotten.some(isOwn)) {
    const claims = kept.filter((role) => !isOwn(role)).map((role) => claimOf(rules, body, role));
    const keptFields = new Set(claims.flatMap((claim) => claim.fields));
    for (const [field, value] of Object.entries(body)) {
      const keptItems = new Set(claims.flatMap(({ item }) => (item?.field === field ? [item.index] : [])));
      if (keptFields.has(field)) continue;
      if (keptItems.size === 0) fields.add(field);
      else for (const index of (value as readonly Json[]).keys()) if (!keptItems.has(index)) addItem(field, index);
    }
  }
  for (const role of forgotten) {
    if (isOwn(role)) continue;
    const { fields: claimed, item } = claimOf(rules, body, role);
    for (const field of claimed) if (Object.hasOwn(body, field)) fields.add(field);
    if (item !== undefined) addItem(item.field, item.index);
  }
  return { fields, items };
}

/** `subject`, `entity_id`, `fields` and `ended` are about the subject; each relation is about its target. */
export function planFactBlanks(
  body: Fields,
  { forgotten, kept }: BodyRoles,
  isForgotten: (reference: Json) => boolean,
): Blanked {
  const refersToSubject = [body['subject'], body['entity_id']].some((one) => one !== undefined && isForgotten(one));
  const isSubject = refersToSubject || forgotten.some((role) => isOwn(role) || role === 'name');
  const fields = new Set(isSubject ? Object.keys(body).filter((key) => key !== 'relations') : []);
  const indexes = new Set<number>();
  const relations = Array.isArray(body['relations']) ? (body['relations'] as readonly Json[]) : [];
  for (const [i, relation] of relations.entries()) {
    const to = isObject(relation) ? (relation['to'] as Json) : null;
    const isKept = kept.includes(`relations[${i}]`);
    if (isSubject ? !isKept : forgotten.includes(`relations[${i}]`) || isForgotten(to)) indexes.add(i);
  }
  return { fields, items: new Map(indexes.size === 0 ? [] : [['relations', indexes]]) };
}

export const isNothing = ({ fields, items }: Blanked): boolean => fields.size === 0 && items.size === 0;

/** Blank values are null, which makes no statement. Items keep their places. */
export function blankBody(body: Fields, { fields, items }: Blanked): Fields {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      if (fields.has(key)) return [key, null];
      const indexes = items.get(key);
      if (indexes === undefined || !Array.isArray(value)) return [key, value];
      return [key, (value as readonly Json[]).map((item, i) => (indexes.has(i) ? null : item))];
    }),
  );
}

/** The same for the observation of the body's own entity: it no longer states the blank fields. */
export function stripFields(stated: Fields, { fields, items }: Blanked): Fields {
  return Object.fromEntries(
    Object.entries(stated).flatMap(([key, value]) => {
      if (fields.has(key)) return [];
      const indexes = items.get(key);
      if (indexes === undefined) return [[key, value]];
      return Array.isArray(value) ? [[key, (value as readonly Json[]).filter((_, i) => !indexes.has(i))]] : [];
    }),
  );
}
