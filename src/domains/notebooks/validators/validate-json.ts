import { pointerStep } from '#kernel/json/is-object.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { readJson } from './read-json.ts';
import {
  type DataReport,
  type Position,
  positionAt,
  TooManyValuesError,
  toWarning,
  type WarningEntry,
} from './syntax-report.ts';

/** Pointers as a tree. */
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

/** The start of the values at these pointers in valid JSON. Of equal names the last one counts. */
function findJsonPositions(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, Position> {
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
  return new Map([...offsets].map(([pointer, at]) => [pointer, positionAt(text, at)]));
}

export function validateJson(text: string): DataReport {
  const duplicates = findDuplicates();
  const fault = readJson(text, duplicates.visitor);
  const documents = () => {
    if (duplicates.valuesCount() > notebookLimits.documentValuesCount) throw new TooManyValuesError();
    return [{ value: JSON.parse(text) as unknown, positionsOf: findJsonPositions.bind(undefined, text) }];
  };
  if (fault === undefined) return { errors: [], warnings: duplicates.warningsIn(text), documents };
  const { at, message } = fault;
  return { errors: [{ message, code: 'JSON_SYNTAX', ...positionAt(text, at) }], warnings: [], documents };
}

/** RFC 8259 leaves open which of two equal names counts, so programs differ. */
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
        // One warning is reserved for the number of omitted ones.
        if (found.length < notebookLimits.shownWarningsCount - 1)
          found.push({ pointer: path.map(pointerStep).join(''), at });
      },
      close() {
        names.pop();
        path.pop();
      },
    },
    warningsIn: (text: string): readonly WarningEntry[] => [
      ...found.map(({ pointer, at }) => {
        return toWarning(positionAt(text, at), `the name ${pointer} occurs twice`, 'DUPLICATE_KEY');
      }),
      ...(count > found.length
        ? [{ message: `${count - found.length} more duplicate names`, code: 'DUPLICATE_KEY' }]
        : []),
    ],
  };
}
