export interface Once<T> {
  (): T;
  /** What was made, or undefined: closing must not make. */
  peek(): T | undefined;
}

/** Makes a thing at its first use. A making that threw is tried again. */
export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | undefined;
  const get = (): T => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { peek: () => made?.value });
}
