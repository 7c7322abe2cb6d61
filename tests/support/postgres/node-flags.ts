/** What a child process needs to run our TypeScript as it is; newer versions need nothing. */
export const nodeFlags: readonly string[] = process.features.typescript
  ? []
  : ['--experimental-strip-types', '--no-warnings'];
