import { pointerStep } from '#kernel/json/is-object.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { placeAt } from './place.ts';
import { readJson } from './read-json.ts';
import type { WarningEntry } from './result.ts';
import { type DataVerdict, type Place, TooManyValues } from './verdict.ts';

/** The wanted pointers as a tree, so that the reader goes only where one leads. */
interface Branch {
  pointer?: string;
  readonly below: Map<string, Branch>;
}

const parts = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function toTree(pointers: ReadonlySet<string>): Branch {
  const root: Branch = { below: new Map() };
  for (const pointer of pointers) {
    let branch = root;
    for (const part of parts(pointer)) {
      const next = branch.below.get(part) ?? { below: new Map() };
      branch.below.set(part, next);
      branch = next;
    }
    branch.pointer = pointer;
  }
  return root;
}

/** Where the values at these pointers begin in JSON text that is sound. Of equal names the last one counts. */
function findJsonPlaces(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, Place> {
  const offsets = new Map<string, number>();
  const stack: { readonly branch: Branch | undefined; index: number; name?: string }[] = [];
  let here: Branch | undefined = toTree(pointers);
  readJson(text, {
    value(at) {
      const parent = stack.at(-1);
      if (parent !== undefined) {
        here = parent.branch?.below.get(parent.name ?? String(parent.index));
        if (parent.name === undefined) parent.index += 1;
      }
      if (here?.pointer !== undefined) offsets.set(here.pointer, at);
    },
    open() {
      stack.push({ branch: here, index: 0 });
    },
    key(name) {
      stack.at(-1)!.name = name;
    },
    close() {
      stack.pop();
    },
  });
  return new Map([...offsets].map(([pointer, at]) => [pointer, placeAt(text, at)]));
}

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
