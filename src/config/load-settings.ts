import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { nearest } from '#kernel/text/edit-distance.ts';
import { createValueFinder, type Provenance, type ValueFinder } from './find-values.ts';
import { findIgnoredVariables } from './ignored-variables.ts';
import { envNames } from './names.ts';
import { type Platform, pathsOf, platformHome } from './platform-paths.ts';
import { asksForHelp, type OwnsFlag, readFlags } from './read-flags.ts';
import type { Setting, Value } from './setting.ts';
import { type SettingName, type Settings, settingsList, settingsTable } from './settings.ts';

/** A larger file is not a settings file and is not read. */
const configFileBytes = 1024 * 1024;

interface ConfigFile {
  readonly members: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
}

const nothing: ConfigFile = { members: {}, problems: [] };

function refuse(file: string, why: string): ConfigFile {
  return { members: {}, problems: [`${file}: ${why}`] };
}

function parse(file: string, text: string): ConfigFile {
  let found: unknown;
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(file, `not JSON: ${(error as Error).message}`);
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found))
    return refuse(file, 'a JSON object is expected');
  const names = Object.keys(settingsTable);
  const unknown = Object.keys(found).filter((key) => !names.includes(key));
  return {
    members: found as Readonly<Record<string, unknown>>,
    problems: unknown.map((key) => `${file}: unknown setting "${key}"; did you mean "${nearest(key, names)}"?`),
  };
}

/** A named file must exist; the one in the data folder may be missing. */
function readConfigFile(file: string, wasNamed: boolean): ConfigFile {
  try {
    const bytes = readFileSync(file);
    if (bytes.length > configFileBytes) return refuse(file, `larger than ${configFileBytes} bytes`);
    return parse(file, bytes.toString('utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!wasNamed && (code === 'ENOENT' || code === 'ENOTDIR')) return nothing;
    return refuse(file, code === 'ENOENT' ? 'file not found' : message);
  }
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly provenance: Readonly<Record<SettingName, Provenance>>;
  /** The first word that is not a flag. */
  readonly command: string | undefined;
  /** The command line without the settings: the words, starting with the command, and its own flags. */
  readonly rest: readonly string[];
  readonly warnings: readonly string[];
  /** Variables that are set and documented, but have no effect here. */
  readonly noEffect: readonly string[];
}

export interface SettingsInput {
  /** Without the program and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir?: string;
  /** A tool's own flag wins over the setting of the same name. */
  readonly ownsFlag?: OwnsFlag;
}

const ownVariables = settingsList.map(([name, setting]) => envNames(name, setting)[0]);

function fallbackOf(setting: Setting, home: string, place: Platform): Value | undefined {
  if (setting.kind === 'path')
    return setting.inHome === undefined ? undefined : pathsOf(place).join(home, setting.inHome);
  return 'fallback' in setting ? setting.fallback : undefined;
}

/** Unknown variables with our prefix are probably typos. Those of the test suite are not settings. */
const unknownVariables = (env: Platform['env']): readonly string[] =>
  Object.keys(env)
    .filter((key) => key.startsWith('FOURFOLD_') && !key.startsWith('FOURFOLD_TEST_') && !ownVariables.includes(key))
    .sort()
    .map((key) => `unknown variable ${key}; did you mean ${nearest(key, ownVariables)}?`);

/** The data folder determines the file, but a file named by a flag may determine the data folder. */
function locate(place: Platform, finder: ValueFinder) {
  const config = finder.fromFlagOrEnv('config', settingsTable.config);
  const home = finder.fromFlagOrEnv('home', settingsTable.home);
  const folder = (home?.value as string | undefined) ?? platformHome(place);
  const file = (config?.value as string | undefined) ?? pathsOf(place).join(folder, 'config.json');
  const { members, problems } = readConfigFile(file, config !== undefined);
  const misplaced: string[] = [];
  if (Object.hasOwn(members, 'config')) misplaced.push(`${file}: "config" cannot be set in the file itself`);
  if (Object.hasOwn(members, 'home') && config === undefined) {
    misplaced.push(`${file}: "home" cannot be set in a file inside the data folder; pass the file with --config`);
  }
  const homeInFile = config === undefined ? undefined : finder.fromFile('home', settingsTable.home, file, members);
  return { config, home: home ?? homeInFile, file, members, problems: [...problems, ...misplaced] };
}

/** Flag over environment over file over default. Throws CONFIG_ERROR with all problems, unless help is requested. */
export function loadSettings(input: SettingsInput): LoadedSettings {
  const { argv, env, cwd, platform } = input;
  const place: Platform = { cwd, platform, env, homeDir: input.homeDir ?? homedir() };
  const flags = readFlags(argv, input.ownsFlag ?? (() => false));
  const finder = createValueFinder(place, flags.given);
  const located = locate(place, finder);
  const home = (located.home?.value as string | undefined) ?? platformHome(place);

  const settings: Partial<Record<SettingName, Value | undefined>> = {};
  const provenance: Partial<Record<SettingName, Provenance>> = {};
  for (const [name, setting] of settingsList) {
    const found =
      name === 'config' || name === 'home'
        ? located[name]
        : (finder.fromFlagOrEnv(name, setting) ?? finder.fromFile(name, setting, located.file, located.members));
    settings[name] = found?.value ?? fallbackOf(setting, home, place);
    provenance[name] = found?.provenance ?? { origin: 'default' };
  }

  const problems = [...flags.problems, ...located.problems, ...finder.problems];
  if (problems.length > 0 && !asksForHelp(argv)) throw faults.CONFIG_ERROR({ why: problems.join('\n') }, { problems });
  return {
    settings: settings as Settings,
    provenance: provenance as Readonly<Record<SettingName, Provenance>>,
    command: flags.command,
    rest: flags.rest,
    warnings: [...problems, ...finder.warnings, ...unknownVariables(env)],
    noEffect: findIgnoredVariables(env),
  };
}
