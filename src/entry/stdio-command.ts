import { fileURLToPath } from 'node:url';

/** The launcher: two folders up in the source, one up from the bundle. */
const launcher = new URL(
  import.meta.url.endsWith('.ts') ? '../../bin/fourfold.js' : '../bin/fourfold.js',
  import.meta.url,
);

/** How a client on this machine starts this very program: by the Node that runs it now, which is new enough. */
export const stdioCommand = (): readonly string[] => [process.execPath, fileURLToPath(launcher)];
