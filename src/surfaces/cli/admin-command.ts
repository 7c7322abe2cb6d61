import type { Admin, AdminRun } from './admin.ts';
import type { Command, CommandAnswer } from './command.ts';
import type { Field } from './field.ts';

interface Option {
  readonly kind: 'boolean' | 'text' | 'integer';
  readonly about: string;
  readonly isList?: true;
  readonly required?: true;
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

type Bare<O> = O extends { kind: 'boolean' }
  ? boolean
  : O extends { kind: 'integer' }
    ? number
    : O extends { choices: readonly (infer C)[] }
      ? C
      : string;
type Given<O> = O extends { isList: true } ? readonly Bare<O>[] : Bare<O>;
type OptionValue<O> = O extends { required: true } | { fallback: unknown } ? Given<O> : Given<O> | undefined;
type OptionValues<T> = { readonly [K in keyof T]: OptionValue<T[K]> };

interface Declaration<T extends Readonly<Record<string, Option>>> {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: T;
  readonly positionals?: readonly (keyof T & string)[];
  readonly run: (admin: Admin, values: OptionValues<T>, run: AdminRun) => Promise<CommandAnswer | undefined>;
}

const toField = (key: string, option: Option): Field => ({
  key,
  flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  kind: option.kind,
  isList: option.isList === true,
  required: option.required === true,
  about: option.about,
  ...(option.choices === undefined ? {} : { choices: option.choices }),
  ...(option.fallback === undefined ? {} : { fallback: option.fallback }),
});

export type AdminCommand = (admin: Admin) => Command;

/** A command that is no tool, its options typed from their declaration. */
export function defineAdminCommand<const T extends Readonly<Record<string, Option>>>(
  declared: Declaration<T>,
): AdminCommand {
  const { words, summary, options, positionals = [], run } = declared;
  const fields = Object.entries(options).map(([key, option]) => toField(key, option));
  const missing = Object.fromEntries(fields.map(({ key, fallback }) => [key, fallback]));
  return (admin) => ({
    words,
    group: 'Program',
    summary,
    fields,
    positionals,
    details: [],
    isTool: false,
    run: (values, context) => run(admin, { ...missing, ...values } as OptionValues<T>, context),
  });
}
