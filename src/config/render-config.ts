import { toValueText } from './describe-setting.ts';
import type { Provenance } from './finder.ts';
import type { LoadedSettings } from './load-settings.ts';
import type { Setting, Value } from './setting.ts';
import { settingsList } from './settings.ts';

export interface ConfigLine {
  readonly setting: string;
  readonly value: string;
  readonly origin: string;
}

const masked = '***';

/** The password of an address goes, the rest helps to see which database it is. */
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

/** What `fourfold config` shows: every value and where it came from, secrets masked. */
export const renderConfig = (
  { settings, provenance }: Pick<LoadedSettings, 'settings' | 'provenance'>,
  delimiter = ':',
): readonly ConfigLine[] =>
  settingsList.map(([name, setting]) => ({
    setting: name,
    value: valueText(setting, settings[name], delimiter),
    origin: originText(provenance[name]),
  }));
