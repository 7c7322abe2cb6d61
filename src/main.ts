// oxlint-disable-next-line import/no-unassigned-import -- first of all, so that nothing writes to stdout before it.
import './entry/stdout-guard.ts';
import { type LoadedSettings, loadSettings, type SettingsInput } from '#config/load-settings.ts';
import { Fault } from '#kernel/fault/fault.ts';

const argv = process.argv.slice(2);
const given: SettingsInput = { argv, env: process.env, cwd: process.cwd(), platform: process.platform };

/** A client that starts the program on a pipe waits for it: nothing but the protocol is loaded then. */
function settingsForStdio(): LoadedSettings | undefined {
  if (process.stdin.isTTY) return undefined;
  const isCommand = argv.some((word) => !word.startsWith('-'));
  try {
    const loaded = loadSettings(given);
    return loaded.command === undefined && loaded.rest.length === 0 ? loaded : undefined;
  } catch (error) {
    if (isCommand) return undefined;
    throw error;
  }
}

async function run(): Promise<number> {
  const loaded = settingsForStdio();
  if (loaded === undefined) return (await import('./entry/command.ts')).runCommand(given);
  const { runStdio } = await import('./entry/stdio.ts');
  await runStdio(loaded);
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`fourfold: ${error.message}\n${error.kind.fix}\n`);
  process.exitCode = error.code === 'CONFIG_ERROR' ? 2 : 1;
}
// Whatever is still open (a worker, a listener of a library) must not keep a program that is done.
setTimeout(() => process.exit(), 500).unref();
