import type { ExtraToolset } from '#app/toolsets.ts';
import { type LoadedSettings, loadSettings, type SettingsInput } from '#config/load-settings.ts';
import { Fault } from '#kernel/fault/fault.ts';

/**
 * Undefined if the words name a command. A client that starts the program on a pipe is waiting, so little is loaded for
 * it.
 */
function settingsForStdio(given: SettingsInput): LoadedSettings | undefined {
  if (process.stdin.isTTY) return undefined;
  const isCommand = given.argv.some((word) => !word.startsWith('-'));
  try {
    const loaded = loadSettings(given);
    return loaded.command === undefined && loaded.rest.length === 0 ? loaded : undefined;
  } catch (error) {
    if (isCommand) return undefined;
    throw error;
  }
}

async function run(extraToolsets: readonly ExtraToolset[]): Promise<number> {
  const given = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), platform: process.platform };
  const loaded = settingsForStdio(given);
  if (loaded === undefined) return (await import('./command.ts')).runCommand(given, extraToolsets);
  const { runStdio } = await import('./stdio.ts');
  await runStdio(loaded, extraToolsets);
  return 0;
}

export async function runMain(extraToolsets: readonly ExtraToolset[] = []): Promise<void> {
  try {
    process.exitCode = await run(extraToolsets);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    process.stderr.write(`fourfold: ${error.message}\n${error.fix}\n`);
    process.exitCode = error.code === 'CONFIG_ERROR' ? 2 : 1;
  }
  // Workers or listeners of libraries that are still open must not keep a finished program running.
  setTimeout(() => process.exit(), 500).unref();
}
