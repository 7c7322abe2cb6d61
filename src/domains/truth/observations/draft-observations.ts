import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Capability, ExtractRule } from '../capabilities/capability.ts';
import type { Body } from '../capabilities/content-id.ts';
import { truthLimits } from '../truth-limits.ts';
import { companyType, entityIdOf, keySeparator, normaliseName } from './entity-name.ts';
import type { IdentityRule, ObservationDraft } from './observation.ts';

type StatedFields = ObservationDraft['stated'];
type EntityName = Pick<ObservationDraft, 'name' | 'displayName' | 'identityRule'>;

const isUsable = (name: string): boolean => name !== '' && name.length <= truthLimits.nameChars;

/** A value that cannot be a name leaves the entity to a weaker rule. */
function toEntityName(value: Json | undefined, isCompany: boolean, identityRule: IdentityRule): EntityName | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (typeof value === 'string' && value.length > truthLimits.rawNameChars) return undefined;
  const displayName = String(value).trim();
  const name = normaliseName(displayName, isCompany);
  return isUsable(name) ? { name, displayName, identityRule } : undefined;
}

const toDraft = (entityType: string, named: EntityName, role: string, stated: StatedFields): ObservationDraft => ({
  entityType,
  entityId: entityIdOf(entityType, named.name),
  ...named,
  role,
  stated,
});

/** All parts or none: a partial key would join different things. */
function nameByNaturalKey({ natural_key }: Capability, body: Body): EntityName | undefined {
  if (natural_key.length === 0) return undefined;
  const parts: EntityName[] = [];
  for (const { field, company = false } of natural_key) {
    const part = toEntityName(body[field], company, 'natural_key');
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const name = parts.map((part) => part.name).join(keySeparator);
  if (!isUsable(name)) return undefined;
  return { name, displayName: parts.map((part) => part.displayName).join(' '), identityRule: 'natural_key' };
}

/** [TR6] */
function nameOwnEntity(capability: Capability, body: Body, contentId: string): EntityName {
  const isCompany = capability.primary_type === companyType;
  return (
    nameByNaturalKey(capability, body) ??
    toEntityName(body['title'], isCompany, 'title') ??
    toEntityName(body['name'], isCompany, 'title') ?? {
      name: contentId,
      displayName: contentId,
      identityRule: 'content',
    }
  );
}

/** `vendor_address` → `address`. `vendor_name` is skipped, because the rule's own field holds the name. */
function prefixedFields(body: Body, prefix: string | undefined): StatedFields {
  if (prefix === undefined || prefix === '') return {};
  const members = Object.entries(body).flatMap(([key, value]) => {
    const field = key.startsWith(prefix) ? key.slice(prefix.length) : '';
    return field === '' || field === 'name' || value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(members);
}

function draftOfValue(
  rule: ExtractRule,
  value: Json,
  role: string,
  prefixed: StatedFields,
): ObservationDraft | undefined {
  const { entity_type } = rule;
  const isCompany = entity_type === companyType;
  const nameField = (rule.kind === 'array_items' ? rule.name_field : undefined) ?? 'name';
  if (isObject(value)) {
    const named =
      toEntityName(value[nameField], isCompany, 'name') ??
      toEntityName(value['name'], isCompany, 'name') ??
      toEntityName(value['title'], isCompany, 'name');
    return named && toDraft(entity_type, named, role, { ...prefixed, ...(value as StatedFields) });
  }
  const named = toEntityName(value, isCompany, 'name');
  return named && toDraft(entity_type, named, role, { ...prefixed, [nameField]: value });
}

function draftByRule(rule: ExtractRule, body: Body): readonly (ObservationDraft | undefined)[] {
  const value = Object.hasOwn(body, rule.field) ? body[rule.field] : undefined;
  if (value === undefined || value === null) return [];
  if (rule.kind === 'field_value') return [draftOfValue(rule, value, rule.field, prefixedFields(body, rule.prefix))];
  // A single party that is not in a list counts as well.
  const items: readonly Json[] = Array.isArray(value) ? value : [value];
  checkCount(items.length);
  return items.map((item, i) => draftOfValue(rule, item, `${rule.field}[${i}]`, {}));
}

function checkCount(count: number): void {
  const { payloadEntitiesCount } = truthLimits;
  if (count <= payloadEntitiesCount) return;
  throw faults.VALIDATION_ERROR(
    { why: `A payload may contain at most ${payloadEntitiesCount} entities; split it` },
    { field: 'body', limit: payloadEntitiesCount },
  );
}

/** The payload's own entity, which holds the whole body, comes first. */
export function draftObservations(capability: Capability, body: Body, contentId: string): readonly ObservationDraft[] {
  const own = toDraft(
    capability.primary_type,
    nameOwnEntity(capability, body, contentId),
    'self',
    body as StatedFields,
  );
  const drafts = new Map<string, ObservationDraft>([[own.role, own]]);
  for (const rule of capability.extract) {
    for (const draft of draftByRule(rule, body)) {
      // If two rules use one field, the first wins: a role is unique within a source.
      if (draft !== undefined && !drafts.has(draft.role)) drafts.set(draft.role, draft);
    }
    checkCount(drafts.size);
  }
  return [...drafts.values()];
}
