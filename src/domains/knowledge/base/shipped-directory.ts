import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');
const here = dirname(fileURLToPath(import.meta.url));

/** Beside the program, wherever it was started: compiled beside the chunk that holds this module, or as it is written. */
export const shippedDirectory = isSource ? join(here, '../../../../knowledge-base') : join(here, 'knowledge-base');
