import { compose } from '#app/compose.ts';
import { cards, type ExtraToolset } from '#app/toolsets.ts';
import { loadSettings, type SettingsInput } from '#config/load-settings.ts';
import { flagMeanings } from '#config/names.ts';
import { nearest } from '#config/nearest.ts';
import { renderHelp } from '#config/render-help.ts';
import { createCli } from '#surfaces/cli/cli.ts';
import { createFlagOwner } from '#surfaces/cli/commands.ts';
import { createPrinter } from '#surfaces/cli/printer.ts';
import { createAdmin } from './admin.ts';
import { owner } from './owner.ts';
import { realStdout } from './stdout-guard.ts';

/** One command of the command line, from its words to its exit code. */
export async function runCommand(given: SettingsInput, extraToolsets: readonly ExtraToolset[] = []): Promise<number> {
  const allCards = () => [...cards, ...extraToolsets.flatMap((extra) => extra.cards)];
  const loaded = loadSettings({ ...given, ownsFlag: createFlagOwner(allCards) });
  const { settings } = loaded;
  const printer = createPrinter(process.stdin, realStdout, process.stderr);
  for (const warning of loaded.warnings) printer.err(`fourfold: ${warning}\n`);
  const app = compose(settings, loaded.command === 'serve' ? 'http' : 'cli', extraToolsets);
  const interrupted = new AbortController();
  const cli = createCli({
    registry: app.registry,
    invoke: app.invoke,
    caller: owner,
    admin: createAdmin(app, loaded, printer.out, extraToolsets),
    printer,
    stdin: process.stdin,
    version: app.version,
    settingsHelp: renderHelp,
    settingFlags: flagMeanings.keys(),
    nearest,
    signal: interrupted.signal,
  });
  if (loaded.command !== 'serve') process.once('SIGINT', () => interrupted.abort());
  try {
    return await cli.run(loaded.rest);
  } finally {
    await app.close();
  }
}
