import type { Json } from '#kernel/json/canonical.ts';
import {
  canonical,
  fitted,
  type OracleField,
  type OracleSchema,
  type Rules,
  type Statement,
} from './oracle-rules.fixture.ts';

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

export interface FieldResult {
  readonly value: Json;
  readonly contributors: readonly Statement[];
}

/** The statements that decide a field, best first. */
function rank(stating: readonly Statement[], field: OracleField, rules: Rules): readonly Statement[] {
  const [correction] = stating.filter((one) => rules.isCorrection(one)).sort((a, b) => rules.byRecency(a, b));
  const newer = stating.filter(
    (one) =>
      correction === undefined ||
      (correction.untilNewer && !rules.isCorrection(one) && rules.givesWay(correction, one)),
  );
  if (correction !== undefined && newer.length === 0) return [correction];
  return newer.sort((a, b) => rules.byRank(field, a, b));
}

/** Of statements that hold at the time in question. */
export function reduce(
  statements: readonly Statement[],
  schema: OracleSchema,
  rules: Rules,
): ReadonlyMap<string, FieldResult> {
  const won = new Map<string, FieldResult>();
  for (const name of sorted(statements.flatMap(({ fields, raw }) => [...Object.keys(fields), ...Object.keys(raw)]))) {
    const field = rules.fieldOf(schema, name);
    if (field === undefined) continue;
    /** [TR10] The active schema may accept what an earlier one did not. */
    const readOf = (one: Statement): Json | undefined =>
      fitted(field, one.fields[name]) ?? fitted(field, one.raw[name]);
    const stating = statements.filter((one) => rules.ends(one, name) || readOf(one) !== undefined);
    const all = rank(stating, field, rules);
    const end = all.findIndex((one) => rules.ends(one, name));
    // Only what is newer than the end of the field counts.
    const ranked = end === -1 ? all : all.slice(0, end);
    const [first] = ranked;
    if (first === undefined) continue;
    if (!rules.isUnion(field)) {
      won.set(name, { value: readOf(first)!, contributors: [first] });
      continue;
    }
    const elements = new Map<string, { readonly element: Json; readonly by: Statement }>();
    for (const by of ranked) {
      for (const element of readOf(by) as readonly Json[]) {
        if (element !== null && !elements.has(canonical(element))) elements.set(canonical(element), { element, by });
      }
    }
    const contributors = ranked.filter((one) => [...elements.values()].some(({ by }) => by === one));
    const union = sorted(elements.keys()).map((key) => elements.get(key)!.element);
    if (contributors.length > 0 || first.kind === 'correction')
      won.set(name, { value: union, contributors: contributors.length > 0 ? contributors : [first] });
  }
  return won;
}

/** The newest of each name, corrections first. */
export function rawOf(
  statements: readonly Statement[],
  schema: OracleSchema,
  rules: Rules,
): Readonly<Record<string, Json>> {
  const raw: Record<string, Json> = {};
  const isCorrection = (one: Statement): boolean => one.kind === 'correction';
  const ranked = [...statements.filter(isCorrection), ...statements.filter((one) => !isCorrection(one))];
  for (const one of ranked) {
    // An earlier version of the schema may have been open.
    const undeclared = Object.entries(one.fields).filter(([name]) => rules.fieldOf(schema, name) === undefined);
    for (const [name, value] of [...Object.entries(one.raw), ...undeclared]) {
      if (!Object.hasOwn(raw, name) && fitted(rules.fieldOf(schema, name), value) === undefined) raw[name] = value;
    }
  }
  return raw;
}
