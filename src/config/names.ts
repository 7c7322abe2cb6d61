import type { Setting } from './setting.ts';
import { type SettingName, settingsList } from './settings.ts';

const split = (name: string): readonly string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** Without dashes, the setting's own flag first. */
export const flagNames = (name: SettingName, setting: Setting): readonly [string, ...string[]] => [
  split(name).join('-'),
  ...(setting.flags ?? []),
];

/** Ours comes first and wins if several are set. */
export const envNames = (name: SettingName, setting: Setting): readonly [string, ...string[]] => [
  `FOURFOLD_${split(name).join('_').toUpperCase()}`,
  ...(setting.env ?? []),
];

export interface FlagMeaning {
  readonly name: SettingName;
  readonly setting: Setting;
  /** `--no-auth`: the flag means false. */
  readonly negated: boolean;
}

export const flagMeanings: ReadonlyMap<string, FlagMeaning> = new Map(
  settingsList.flatMap(([name, setting]) =>
    flagNames(name, setting).flatMap((flag): [string, FlagMeaning][] =>
      setting.kind === 'boolean'
        ? [
            [flag, { name, setting, negated: false }],
            [`no-${flag}`, { name, setting, negated: true }],
          ]
        : [[flag, { name, setting, negated: false }]],
    ),
  ),
);
