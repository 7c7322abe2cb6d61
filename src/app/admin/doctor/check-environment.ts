import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface PortCheckOptions {
  readonly host: string;
  readonly port: number;
}

const portName = 'port';

/** Listens briefly; returns the error code, or undefined if the port is free. */
const tryPort = ({ host, port }: PortCheckOptions): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

export async function checkPort(options: PortCheckOptions): Promise<DoctorCheck> {
  const { host, port } = options;
  const place = `${host}:${port}`;
  const trouble = await tryPort(options);
  switch (trouble) {
    case undefined:
      return ok(portName, port === 0 ? `any free port on ${host}` : `${place} is free`);
    case 'EADDRINUSE':
      return warn(
        portName,
        `${place} is in use by a running fourfold server or another program`,
        'If it is not your server, choose another port with --port.',
      );
    case 'EACCES':
      return fail(portName, `this user may not open ${place}`, 'Choose a port above 1023 with --port.');
    default:
      return fail(
        portName,
        `${place} cannot be opened (${trouble})`,
        'Set --host to an address of this machine, such as 127.0.0.1.',
      );
  }
}

export interface InstructionsCheckOptions {
  readonly dir: string;
  readonly isSet: boolean;
  readonly cwd: string;
  /** MCP_CANONICAL_DISABLE. */
  readonly canonicalOff?: boolean;
}

export const instructionsName = 'instructions';

/** A folder that cannot be read counts as empty. */
const countEntries = async (folder: string): Promise<number> =>
  (await readdir(folder).catch(() => [])).filter((entry) => entry.endsWith('.json')).length;

/** RULINGS R3: a user with `./instructions` in the working directory most likely means that folder. */
export async function checkInstructions({ dir, isSet, cwd }: InstructionsCheckOptions): Promise<DoctorCheck> {
  const near = join(cwd, 'instructions');
  const count = isSet || near === dir ? 0 : await countEntries(near);
  if (count === 0) return ok(instructionsName, dir);
  return warn(
    instructionsName,
    `${near} contains ${count} files, but the catalog is ${dir}`,
    'Set INSTRUCTIONS_DIR=./instructions to serve them.',
  );
}

export interface ConfigCheckOptions {
  readonly warnings: readonly string[];
  /** Variables that are set but have no effect in this program. */
  readonly noEffect: readonly string[];
}

const configName = 'configuration';

export function checkConfig({ warnings, noEffect }: ConfigCheckOptions): readonly DoctorCheck[] {
  const checks = warnings.map((warning) =>
    warn(configName, warning, 'Correct it; fourfold config shows every setting and its origin.'),
  );
  if (noEffect.length > 0)
    checks.push(
      warn(configName, `set, but without effect in this program: ${noEffect.join(', ')}`, 'You can remove them.'),
    );
  return checks.length > 0 ? checks : [ok(configName, 'all settings are valid')];
}

const oldest = [22, 12] as const;

export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isNewEnough) return ok('node', `Node.js ${version}`);
  return fail(
    'node',
    `Node.js ${version} is older than ${oldest.join('.')}`,
    'Install a newer Node.js, or start the program with its launcher, which includes one.',
  );
}
