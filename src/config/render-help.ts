import { defaultOf, placeholderOf } from './describe-setting.ts';
import { envNames, flagNames } from './names.ts';
import { groups, type Setting } from './setting.ts';
import { type SettingName, settingsList } from './settings.ts';

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

function settingLines(name: SettingName, setting: Setting): readonly string[] {
  const flag = `  ${flagText(name, setting)}`;
  const { label, text } = defaultOf(setting);
  const about = `${setting.about} [${envNames(name, setting)[0]}; ${label}: ${text}]`;
  const [first, ...more] = wrap(about.replaceAll('`', ''), helpColumns - flagColumns);
  const margin = ' '.repeat(flagColumns);
  const head = flag.length < flagColumns - 1 ? [`${flag.padEnd(flagColumns)}${first}`] : [flag, `${margin}${first}`];
  return [...head, ...more.map((line) => `${margin}${line}`)];
}

/** The settings' part of `fourfold --help`. */
export const renderHelp = (): string =>
  [
    'Settings: a flag wins over its variable, that over the file (config.json in the data folder), that over the default.',
    ...groups.map((group) =>
      [
        group,
        ...settingsList.filter(([, setting]) => setting.group === group).flatMap((entry) => settingLines(...entry)),
      ].join('\n'),
    ),
  ].join('\n\n');
