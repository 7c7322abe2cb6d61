import { fileURLToPath } from 'node:url';

/** How a client on this machine starts this very program: by the Node that runs it now, which is new enough. */
export const stdioCommand = (): readonly string[] => [
  process.execPath,
  fileURLToPath(new URL('../bin/fourfold.js', import.meta.url)),
];
