import { compose } from '#app/compose.ts';
import { cards, type ExtraToolset } from '#app/toolsets.ts';
import { type LoadedSettings, loadSettings, type SettingsInput } from '#config/load-settings.ts';
import { flagMeanings } from '#config/names.ts';
import { renderHelp } from '#config/render-settings.ts';
import type { Settings } from '#config/settings.ts';
import { localOwner } from '#kernel/call.ts';
import { nearest } from '#kernel/text/edit-distance.ts';
import { createCli } from '#surfaces/cli/cli.ts';
import { createFlagOwner } from '#surfaces/cli/commands.ts';
import { createPrinter } from '#surfaces/cli/printer.ts';
import { createAdmin } from './admin.ts';
import { realStdout } from './stdout-guard.ts';

/** A command that runs once logs only errors: log lines between the output are noise, unless the user asked for them. */
function commandSettings({ command, settings, provenance }: LoadedSettings): Settings {
  const names = ['logLevel', 'logDiag', 'logVerbose', 'logMutation'] as const;
  const asksForLog = names.some((name) => provenance[name].origin !== 'default');
  return command === 'serve' || asksForLog ? settings : { ...settings, logLevel: 'error' };
}

export async function runCommand(given: SettingsInput, extraToolsets: readonly ExtraToolset[] = []): Promise<number> {
  const allCards = () => [...cards, ...extraToolsets.flatMap((extra) => extra.cards)];
  const loaded = loadSettings({ ...given, ownsFlag: createFlagOwner(allCards) });
  const printer = createPrinter(process.stdin, realStdout, process.stderr);
  for (const warning of loaded.warnings) printer.err(`fourfold: ${warning}\n`);
  const surface = loaded.command === 'serve' ? 'http' : 'cli';
  const app = compose(commandSettings(loaded), surface, extraToolsets, loaded.provenance);
  const interrupted = new AbortController();
  const cli = createCli({
    registry: app.registry,
    invoke: app.invoke,
    caller: localOwner,
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
