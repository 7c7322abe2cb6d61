import { placeAt } from './place.ts';
import { readJson } from './read-json.ts';
import type { Place } from './verdict.ts';

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
export function findJsonPlaces(text: string, pointers: ReadonlySet<string>): ReadonlyMap<string, Place> {
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
