/** `instructions/governanceHash` → `instructions_governance_hash`: the form that every client accepts. */
export const toListedName = (name: string): string =>
  name
    .replaceAll('/', '_')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll('__', '_');

/** Every spelling under which a name is taken: canonical, listed, and canonical with `_` for `/`. */
export const spellings = (name: string): readonly string[] => [
  ...new Set([name, name.replaceAll('/', '_'), toListedName(name)]),
];
