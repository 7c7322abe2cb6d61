import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Capability, ExtractRule } from '../capabilities/capability.ts';
import type { Body } from '../capabilities/normalise.ts';
import { truthLimits } from '../truth-limits.ts';
import { companyType, entityIdOf, keySeparator, normaliseName } from './entity-name.ts';
import type { Draft, IdentityRule } from './source.ts';

type Stated = Draft['stated'];
type Named = Pick<Draft, 'name' | 'displayName' | 'identityRule'>;

const isUsable = (name: string): boolean => name !== '' && name.length <= truthLimits.nameChars;

/** What can be a name: numbers are one as they are written. A value that cannot leaves its entity to a weaker rule. */
function toNamed(value: Json | undefined, isCompany: boolean, identityRule: IdentityRule): Named | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const displayName = String(value).trim();
  const name = normaliseName(displayName, isCompany);
  return isUsable(name) ? { name, displayName, identityRule } : undefined;
}

const toDraft = (entityType: string, named: Named, role: string, stated: Stated): Draft => ({
  entityType,
  entityId: entityIdOf(entityType, named.name),
  ...named,
  role,
  stated,
});

/** All fields of the key, or none of it: half a key would make two things one. */
function byNaturalKey({ natural_key }: Capability, body: Body): Named | undefined {
  if (natural_key.length === 0) return undefined;
  const parts: Named[] = [];
  for (const { field, company = false } of natural_key) {
    const part = toNamed(body[field], company, 'natural_key');
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const name = parts.map((part) => part.name).join(keySeparator);
  if (!isUsable(name)) return undefined;
  return { name, displayName: parts.map((part) => part.displayName).join(' '), identityRule: 'natural_key' };
}

/** [TR6] */
function nameOwn(capability: Capability, body: Body, contentId: string): Named {
  const isCompany = capability.primary_type === companyType;
  return (
    byNaturalKey(capability, body) ??
    toNamed(body['title'], isCompany, 'title') ??
    toNamed(body['name'], isCompany, 'title') ?? { name: contentId, displayName: contentId, identityRule: 'content' }
  );
}

/** `vendor_address` → `address`. The entity's name is what its own field says, so `vendor_name` is not asked again. */
function prefixed(body: Body, prefix: string | undefined): Stated {
  if (prefix === undefined || prefix === '') return {};
  const members = Object.entries(body).flatMap(([key, value]) => {
    const field = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    return field === '' || field === 'name' || value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(members);
}

function draftOfValue(rule: ExtractRule, value: Json, role: string, beside: Stated): Draft | undefined {
  const { entity_type } = rule;
  const isCompany = entity_type === companyType;
  const nameField = (rule.kind === 'array_items' ? rule.name_field : undefined) ?? 'name';
  if (isObject(value)) {
    const named =
      toNamed(value[nameField], isCompany, 'name') ??
      toNamed(value['name'], isCompany, 'name') ??
      toNamed(value['title'], isCompany, 'name');
    return named && toDraft(entity_type, named, role, { ...beside, ...(value as Stated) });
  }
  const named = toNamed(value, isCompany, 'name');
  return named && toDraft(entity_type, named, role, { ...beside, [nameField]: value });
}

function extract(rule: ExtractRule, body: Body): readonly (Draft | undefined)[] {
  const value = Object.hasOwn(body, rule.field) ? body[rule.field] : undefined;
  if (value === undefined || value === null) return [];
  if (rule.kind === 'field_value') return [draftOfValue(rule, value, rule.field, prefixed(body, rule.prefix))];
  // One party that was not put into a list is a party all the same.
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  checkCount(items.length);
  return items.map((item, i) => draftOfValue(rule, item, `${rule.field}[${i}]`, {}));
}

function checkCount(count: number): void {
  const { payloadEntitiesCount } = truthLimits;
  if (count <= payloadEntitiesCount) return;
  throw faults.VALIDATION_ERROR(
    { why: `A payload may speak of at most ${payloadEntitiesCount} entities; split it` },
    { field: 'body', limit: payloadEntitiesCount },
  );
}

/** What a payload says about which entities: first its own, which holds the whole body, then those that are in it. */
export function toDrafts(capability: Capability, body: Body, contentId: string): readonly Draft[] {
  const own = toDraft(capability.primary_type, nameOwn(capability, body, contentId), 'self', body as Stated);
  const drafts = new Map<string, Draft>([[own.role, own]]);
  for (const rule of capability.extract) {
    for (const draft of extract(rule, body)) {
      // Two rules for one field: the first has it, since a role is there once.
      if (draft !== undefined && !drafts.has(draft.role)) drafts.set(draft.role, draft);
    }
    checkCount(drafts.size);
  }
  return [...drafts.values()];
}
