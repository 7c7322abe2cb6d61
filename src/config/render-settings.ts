import { defaultOf, placeholderOf, toValueText, valuesOf } from './describe-setting.ts';
import type { Provenance } from './find-values.ts';
import { ignoredVariables } from './ignored-variables.ts';
import type { LoadedSettings } from './load-settings.ts';
import { envNames, flagNames } from './names.ts';
import { groups, type Setting, type Value } from './setting.ts';
import { type SettingName, type Settings, settingsList } from './settings.ts';

const helpColumns = 100;
const flagColumns = 32;

function flagText(name: SettingName, setting: Setting): string {
  const [flag] = flagNames(name, setting);
  if (setting.kind !== 'boolean') return `--${flag} ${placeholderOf(setting)}`;
  return setting.fallback === false ? `--${flag}` : `--[no-]${flag}`;
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function helpLines(name: SettingName, setting: Setting): readonly string[] {
  const flag = `  ${flagText(name, setting)}`;
  const { label, text } = defaultOf(setting);
  const also = (setting.flags ?? []).map((other) => `; also --${other}`).join('');
  const about = `${setting.about} [${envNames(name, setting)[0]}; ${label}: ${text}${also}]`;
  const [first, ...more] = wrap(about.replaceAll('`', ''), helpColumns - flagColumns);
  const margin = ' '.repeat(flagColumns);
  const head = flag.length < flagColumns - 1 ? [`${flag.padEnd(flagColumns)}${first}`] : [flag, `${margin}${first}`];
  return [...head, ...more.map((line) => `${margin}${line}`)];
}

/** The settings part of `fourfold --help`. */
export const renderHelp = (): string =>
  [
    'Settings: a flag takes precedence over its variable, the file (config.json in the data folder) and the default.',
    ...groups.map((group) =>
      [
        group,
        ...settingsList.filter(([, setting]) => setting.group === group).flatMap((entry) => helpLines(...entry)),
      ].join('\n'),
    ),
  ].join('\n\n');

const masked = '***';

/** Hides the password of a URL; the rest identifies the database. */
function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = masked;
  for (const key of Array.from(url.searchParams.keys()))
    if (/pass|secret|token|key/i.test(key)) url.searchParams.set(key, masked);
  return url.toString();
}

function valueText(setting: Setting, value: Value | undefined, delimiter: string): string {
  if (value === undefined) return `(${setting.unsetMeans ?? 'not set'})`;
  if (setting.kind === 'text' && setting.secret === true) return masked;
  const isSecret = setting.kind === 'url' && setting.secret === true;
  return isSecret ? maskUrl(value as string) : toValueText(setting, value, delimiter);
}

const originText = (provenance: Provenance): string =>
  provenance.origin === 'default' ? 'default' : `${provenance.origin} ${provenance.name}`;

/** The output of `fourfold config`: every value and its origin, secrets masked. */
export const renderConfig = (
  { settings, provenance }: Pick<LoadedSettings, 'settings' | 'provenance'>,
  delimiter = ':',
) =>
  settingsList.map(([name, setting]) => ({
    setting: name,
    value: valueText(setting, settings[name], delimiter),
    origin: originText(provenance[name]),
  }));

const sources = { flag: 'flag', env: 'variable', file: 'file', default: 'default' } as const;

/** Every setting with its value and its source, secrets masked. A setting without provenance has its default. */
export const describeSettings = (
  settings: Settings,
  provenance: Partial<LoadedSettings['provenance']>,
  delimiter = ':',
) =>
  settingsList.map(([name, setting]) => {
    const from = provenance[name] ?? { origin: 'default' as const };
    return {
      name,
      group: setting.group,
      about: setting.about,
      value: valueText(setting, settings[name], delimiter),
      isSet: settings[name] !== undefined,
      isSecret: 'secret' in setting && setting.secret,
      source: sources[from.origin],
      ...(from.origin !== 'default' && { sourceName: from.name }),
      fallback: defaultOf(setting).text,
      variable: envNames(name, setting)[0],
    };
  });

function settingLines(name: SettingName, setting: Setting): string {
  const [variable, ...others] = envNames(name, setting);
  const also = others.length === 0 ? '' : ` Also ${others.join(', ')}.`;
  const fallback = 'fallback' in setting ? setting.fallback : undefined;
  const { label, text } = defaultOf(setting);
  return `# ${setting.about} ${label === 'default' ? 'Default' : 'Without it'}: ${text}.${also}\n#${variable}=${toValueText(setting, fallback)}`;
}

/** `.env.example`: every variable, commented out, with its default. */
export const renderEnvExample = (): string =>
  `${[
    '# Generated by `fourfold generate` from the settings table; do not edit. See docs/reference/config.md.',
    ...groups.flatMap((group) => [
      `# --- ${group} ---`,
      ...settingsList.filter(([, setting]) => setting.group === group).map((entry) => settingLines(...entry)),
    ]),
  ].join('\n\n')}\n`;

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function flagsOf(name: SettingName, setting: Setting): readonly string[] {
  const negation = setting.kind === 'boolean' ? '[no-]' : '';
  return flagNames(name, setting).map((flag) => `--${negation}${flag}`);
}

function settingSection(name: SettingName, setting: Setting): string {
  const { label, text } = defaultOf(setting);
  return [
    `### ${name}`,
    '',
    setting.about,
    '',
    `* ${label === 'default' ? 'Default' : 'Without it'}: ${text}`,
    `* Values: ${valuesOf(setting)}`,
    `* Flags: ${code(flagsOf(name, setting))}`,
    `* Variables: ${code(envNames(name, setting))}`,
    `* Used by: ${setting.part}`,
  ].join('\n');
}

const intro = `# Settings

Generated by \`fourfold generate\` from the settings table; do not edit.

Each setting can be given as a flag, as an environment variable, or under its name in a JSON file: \`config.json\` in the data
folder, or the file that \`--config\` names. A flag wins over a variable, a variable over the file, the file over the default.
\`fourfold config\` shows every value and its origin.

Booleans are \`1\`, \`true\`, \`yes\`, \`on\` or \`0\`, \`false\`, \`no\`, \`off\`. Durations are milliseconds or carry a unit (\`500ms\`, \`30s\`,
\`10m\`, \`24h\`), sizes are bytes or carry a unit (\`64 KiB\`, \`16 MiB\`). A relative path on the command line or in a variable starts at
the working directory, in the file at the folder of the file. An empty variable counts as not set, except that of a list.`;

const noEffectSection = `## Variables without effect

Documented for the original programs and accepted, but without effect here; \`fourfold doctor\` reports those that are set.

${ignoredVariables.map((name) => `* \`${name}\``).join('\n')}`;

/** `docs/reference/config.md`. */
export const renderConfigReference = (): string =>
  `${[
    intro,
    ...groups.flatMap((group) => [
      `## ${group}`,
      ...settingsList.filter(([, setting]) => setting.group === group).map((entry) => settingSection(...entry)),
    ]),
    noEffectSection,
  ].join('\n\n')}\n`;
