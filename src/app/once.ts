export interface Once<T> {
  (): T;
  /** The value if it exists; never creates it. */
  peek(): T | undefined;
}

/** Creates a value at its first use. A creation that threw is tried again. */
export function once<T>(make: () => T): Once<T> {
  let made: { readonly value: T } | undefined;
  const get = (): T => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, { peek: () => made?.value });
}
