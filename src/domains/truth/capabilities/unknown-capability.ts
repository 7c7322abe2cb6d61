import type { Fault } from '#kernel/fault/fault.ts';
import { editDistance } from '#kernel/text/edit-distance.ts';
import { listSome } from '#kernel/text/list-some.ts';
import { builtinSchemas } from '../schemas/builtin-schemas.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import type { Capability } from './capability.ts';

const { listedCapabilitiesCount, listedFieldsCount } = truthLimits;

/** The fields that a body may contain, those that identify it first. */
function fieldsOf({ natural_key, hash_fields, extract, primary_type }: Capability): readonly string[] {
  const keys = natural_key.map(({ field }) => field);
  const others = Object.keys(builtinSchemas.get(primary_type)?.fields ?? {});
  return [...new Set([...keys, ...hash_fields, ...extract.map(({ field }) => field), ...others])];
}

/** A longer word is not a misspelled name. */
const comparedChars = 64;
const nearDistance = 2;

/** `neotoma:store_invoice:v1`, `store_invoices` and `Invoice` → `invoice`. */
function coreOf(id: string): string {
  const words = id
    .slice(0, comparedChars * 2)
    .toLowerCase()
    .split(':');
  const name = words.length === 3 ? words[1]! : (words.find((word) => word.startsWith('store_')) ?? words[0]!);
  return name
    .replace(/^(?:store|save|add|create)[_-]/, '')
    .replace(/s$/, '')
    .slice(0, comparedChars);
}

function nearestId(id: string, known: readonly Capability[]): string | undefined {
  const wanted = coreOf(id);
  if (wanted.length < 3) return undefined;
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const { capability_id, primary_type } of known) {
    const distance = Math.min(editDistance(wanted, coreOf(capability_id)), editDistance(wanted, primary_type));
    const isNear = distance <= Math.min(nearDistance, wanted.length - 3);
    if (isNear && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { id: capability_id, distance };
  }
  return best?.id;
}

/** [TR93] Lists the known capabilities with their fields, and the one that was probably meant. */
export function unknownCapability(id: string, known: readonly Capability[], details: object = {}): Fault {
  const nearest = nearestId(id, known);
  const names = listSome(known.map(({ capability_id }) => capability_id));
  return truthFaults.UNKNOWN_CAPABILITY(nearest === undefined ? {} : { nearest }, {
    ...details,
    fix: `${nearest === undefined ? '' : `Did you mean ${nearest}? `}Known: ${names}. list_capabilities shows their fields, register_capability adds one.`,
    ...(nearest === undefined ? {} : { did_you_mean: nearest }),
    capabilities: known.slice(0, listedCapabilitiesCount).map((one) => ({
      capability_id: one.capability_id,
      fields: fieldsOf(one).slice(0, listedFieldsCount),
    })),
    total: known.length,
  });
}
