import type { Setting, Value } from './setting.ts';

/** The placeholder in the help: `<number>`, `<auto|on|off>`. */
export function placeholderOf(setting: Setting): string {
  switch (setting.kind) {
    case 'boolean':
      return '';
    case 'integer':
      return '<number>';
    case 'choice':
      return `<${setting.choices.join('|')}>`;
    case 'list':
      return setting.items === 'path' ? '<paths>' : '<a,b,…>';
    default:
      return `<${setting.kind}>`;
  }
}

export function valuesOf(setting: Setting): string {
  switch (setting.kind) {
    case 'boolean':
      return '`true`, `false`';
    case 'integer':
      return `${setting.min} to ${setting.max}`;
    case 'duration':
      return `${toDurationText(setting.minMs)} to ${toDurationText(setting.maxMs)}`;
    case 'bytes':
      return `${toBytesText(setting.min)} to ${toBytesText(setting.max)}`;
    case 'choice':
      return setting.choices.map((choice) => `\`${choice}\``).join(', ');
    case 'text':
      return setting.startsWith === undefined ? 'text' : `text that starts with \`${setting.startsWith}\``;
    case 'url':
      return setting.schemes.map((scheme) => `\`${scheme}://…\``).join(', ');
    case 'path':
      return 'path';
    case 'list':
      return setting.items === 'path' ? 'paths, split at `:` (Windows: `;`)' : 'names, split at `,`';
  }
}

const toUnit = (n: number, units: readonly (readonly [number, string])[]): string => {
  const [size, name] = units.find(([unit]) => n >= unit && n % unit === 0) ?? [1, ''];
  return `${n / size}${name}`;
};

const toDurationText = (ms: number): string =>
  ms === 0
    ? '0'
    : toUnit(ms, [
        [3_600_000, 'h'],
        [60_000, 'm'],
        [1_000, 's'],
        [1, 'ms'],
      ]);

const toBytesText = (bytes: number): string =>
  toUnit(bytes, [
    [1024 ** 3, ' GiB'],
    [1024 ** 2, ' MiB'],
    [1024, ' KiB'],
  ]);

/** The value as written in a variable; empty if there is none. */
export function toValueText(setting: Setting, value: Value | undefined, delimiter = ':'): string {
  if (value === undefined) return '';
  if (setting.kind === 'duration') return toDurationText(value as number);
  if (setting.kind === 'bytes') return toBytesText(value as number);
  if (setting.kind === 'list') return (value as readonly string[]).join(setting.splitAt === 'comma' ? ',' : delimiter);
  return String(value);
}

/** The default in words: a value, a path in the data folder, or what happens without one. */
export function defaultOf(setting: Setting): { readonly label: 'default' | 'without it'; readonly text: string } {
  if (setting.unsetMeans !== undefined) return { label: 'without it', text: setting.unsetMeans };
  if (setting.kind === 'path' && setting.inHome !== undefined) {
    return { label: 'default', text: `${setting.inHome} in the data folder` };
  }
  const fallback = 'fallback' in setting ? setting.fallback : undefined;
  return { label: 'default', text: toValueText(setting, fallback) || 'none' };
}
