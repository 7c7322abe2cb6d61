import { envNames } from './names.ts';
import { type Parsed, parseJson, parseText } from './parse-value.ts';
import { type Platform, pathsOf } from './platform-paths.ts';
import type { GivenFlag } from './read-flags.ts';
import type { Setting, Value } from './setting.ts';
import type { SettingName } from './settings.ts';

/** `name` is the flag, the variable or the file. */
export type Provenance =
  | { readonly origin: 'flag' | 'env' | 'file'; readonly name: string }
  | { readonly origin: 'default' };

export interface FoundValue {
  readonly value: Value;
  readonly provenance: Provenance;
}

/** One pass over flags, environment and file. Problems are collected, so that one start shows them all. */
export function createValueFinder(place: Platform, given: ReadonlyMap<SettingName, readonly GivenFlag[]>) {
  const problems: string[] = [];
  const warnings: string[] = [];

  function accept(parsed: Parsed, told: string, provenance: Provenance): FoundValue | undefined {
    if ('value' in parsed) return { value: parsed.value, provenance };
    problems.push(`${told}: ${parsed.why}`);
    return undefined;
  }

  function fromFlags(name: SettingName, setting: Setting): FoundValue | undefined {
    const flags = given.get(name);
    const last = flags?.at(-1);
    if (flags === undefined || last === undefined) return undefined;
    const provenance = { origin: 'flag', name: last.flag } as const;
    const read = ({ flag, text }: GivenFlag) =>
      accept(parseText(text, setting, { place, base: place.cwd }), flag, provenance);
    if (setting.kind !== 'list') return read(last);
    const lists = flags.map((one) => read(one)?.value);
    return { value: lists.flatMap((list) => (list ?? []) as readonly string[]), provenance };
  }

  function fromEnv(name: SettingName, setting: Setting): FoundValue | undefined {
    // Container files leave a variable unset by making it empty; an empty list is a value.
    const set = envNames(name, setting).filter((key) => {
      const text = place.env[key];
      return text !== undefined && (text.trim() !== '' || setting.kind === 'list');
    });
    const [first, ...others] = set;
    if (first === undefined) return undefined;
    for (const other of others) {
      if (place.env[other] !== place.env[first]) warnings.push(`${first} and ${other} are both set; ${first} is used`);
    }
    const written = { place, base: place.cwd };
    const text = place.env[first]!.trim();
    const isOther = first !== envNames(name, setting)[0];
    const isInSeconds = isOther && setting.kind === 'duration' && setting.envInSeconds && /^\d+(?:\.\d+)?$/.test(text);
    return accept(parseText(isInSeconds ? `${text}s` : text, setting, written), first, { origin: 'env', name: first });
  }

  function fromFile(
    name: SettingName,
    setting: Setting,
    file: string,
    members: Readonly<Record<string, unknown>>,
  ): FoundValue | undefined {
    if (!Object.hasOwn(members, name)) return undefined;
    const written = { place, base: pathsOf(place).dirname(file) };
    return accept(parseJson(members[name], setting, written), `${file}: "${name}"`, { origin: 'file', name: file });
  }

  return {
    problems,
    warnings,
    fromFile,
    fromFlagOrEnv: (name: SettingName, setting: Setting) => fromFlags(name, setting) ?? fromEnv(name, setting),
  };
}

export type ValueFinder = ReturnType<typeof createValueFinder>;
