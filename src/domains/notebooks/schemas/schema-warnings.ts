import { notebookLimits } from '../notebook-limits.ts';
import { findReferences, type OutsideReference } from './find-references.ts';
import type { SchemaRow } from './schema-store.ts';

const rootUri = 'scratchpad://cell/schema';
/** The three dialects, and the parts that their own schemas consist of. */
const standard = /^https?:\/\/json-schema\.org\/(?:draft-07\/schema|draft\/(?:2019-09|2020-12)\/)/;

const sharedUri = (name: string): string => `scratchpad://schemas/${encodeURIComponent(name)}`;
const shown = (ref: string): string => (ref.length > 200 ? `${ref.slice(0, 200)}…` : ref);

/** Under which a schema of the pad can be referred to. */
function namesOf(rows: readonly SchemaRow[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { schema_id, name, schema } of rows) {
    for (const each of [schema_id, name]) {
      if (each === null) continue;
      names.add(sharedUri(each));
      if (URL.canParse(each)) names.add(new URL(each).href);
    }
    const { ids } = findReferences(JSON.parse(schema) as Readonly<Record<string, unknown>>, rootUri);
    for (const id of ids) names.add(id);
  }
  return names;
}

const missing = ({ at, keyword, ref }: OutsideReference): string =>
  keyword === '$schema'
    ? `${at}: ${shown(ref)} is no dialect that is known here; use draft 7, 2019-09 or 2020-12`
    : `${at}: ${shown(ref)} is not a schema of this scratchpad, and nothing is ever fetched; a cell cannot be checked with it until scratch_upsert_schema adds one of that name or $id`;

/** What a schema refers to and what nobody could find, also not among the schemas of its pad. */
export function warnOfSchema(schema: object, ofPad: readonly SchemaRow[]): readonly string[] {
  const { outside, dangling } = findReferences(schema as Readonly<Record<string, unknown>>, rootUri);
  const names = outside.length === 0 ? new Set<string>() : namesOf(ofPad);
  const lost = outside.filter(({ uri }) => !standard.test(uri) && !names.has(uri));
  return [
    ...dangling.map(({ at, ref }) => `${at}: ${shown(ref)} points to a place that is not in the schema`),
    ...lost.map(missing),
  ].slice(0, notebookLimits.warningsCount);
}

export const refersToOthers = (schema: object): boolean =>
  findReferences(schema as Readonly<Record<string, unknown>>, rootUri).outside.length > 0;
