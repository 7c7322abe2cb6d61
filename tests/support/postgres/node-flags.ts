/** Flags that a child process needs to run TypeScript directly; newer versions need none. */
export const nodeFlags: readonly string[] = process.features.typescript
  ? []
  : ['--experimental-strip-types', '--no-warnings'];
