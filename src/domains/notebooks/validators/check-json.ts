import { pointerStep } from '#kernel/json/pointer.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { findJsonPlaces } from './json-places.ts';
import { placeAt } from './place.ts';
import { readJson } from './read-json.ts';
import type { WarningEntry } from './result.ts';
import { type DataVerdict, TooManyValues } from './verdict.ts';

export function checkJson(text: string): DataVerdict {
  const duplicates = findDuplicates();
  const fault = readJson(text, duplicates.visitor);
  const documents = () => {
    if (duplicates.valuesCount() > notebookLimits.documentValuesCount) throw new TooManyValues();
    return [{ value: JSON.parse(text) as unknown, placesOf: findJsonPlaces.bind(undefined, text) }];
  };
  if (fault === undefined) return { errors: [], warnings: duplicates.warningsIn(text), documents };
  const { at, message } = fault;
  return { errors: [{ message, code: 'JSON_SYNTAX', ...placeAt(text, at) }], warnings: [], documents };
}

/** The standard leaves open which of two equal names counts, so programs differ. */
function findDuplicates() {
  const names: (Set<string> | undefined)[] = [];
  const path: string[] = [];
  const found: { readonly pointer: string; readonly at: number }[] = [];
  let count = 0;
  let values = 0;
  return {
    valuesCount: () => values,
    visitor: {
      value() {
        values += 1;
      },
      open(isObject: boolean) {
        names.push(isObject ? new Set() : undefined);
        path.push('');
      },
      key(name: string, at: number) {
        path[path.length - 1] = name;
        const seen = names.at(-1)!;
        if (!seen.has(name)) {
          seen.add(name);
          return;
        }
        count += 1;
        // The last place is for the number of those that are left out.
        if (found.length < notebookLimits.checkWarningsCount - 1)
          found.push({ pointer: path.map(pointerStep).join(''), at });
      },
      close() {
        names.pop();
        path.pop();
      },
    },
    warningsIn: (text: string): readonly WarningEntry[] => [
      ...found.map(({ pointer, at }) => {
        const { line, column } = placeAt(text, at);
        return { message: `line ${line}, column ${column}: the name ${pointer} stands twice`, code: 'DUPLICATE_KEY' };
      }),
      ...(count > found.length
        ? [{ message: `${count - found.length} more duplicate names`, code: 'DUPLICATE_KEY' }]
        : []),
    ],
  };
}
