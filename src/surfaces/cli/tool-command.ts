import { type Caller, toTenantId } from '#kernel/call.ts';
import type { Card } from '#kernel/tool/card.ts';
import { toFormFault } from '#kernel/tool/fault-forms.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import type { Command } from './command.ts';
import { type Field, fieldsOf } from './field.ts';

/** As one would type it in a shell. */
const quoteWord = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

function exampleLine(card: Card, fields: readonly Field[]): string {
  const flags = Object.entries(card.guide.example ?? {}).flatMap(([key, value]) => {
    const field = fields.find((one) => one.key === key);
    if (field === undefined) return [];
    if (value === true && field.kind === 'boolean') return [`--${field.flag}`];
    const items = field.isList && Array.isArray(value) ? value : [value];
    return items.map((item) => `--${field.flag} ${quoteWord(typeof item === 'string' ? item : JSON.stringify(item))}`);
  });
  return ['Example: fourfold', ...toWords(card), ...flags].join(' ');
}

/** `instructions/governanceHash` → `instructions governance hash`. */
export const toWords = ({ command, listedName }: Card): readonly string[] =>
  command === undefined ? listedName.split('_') : command.split(' ');

/** An answer that says it found something wrong ends the command with an error, so that scripts notice. */
const isFailure = (value: object): boolean => 'ok' in value && value.ok === false;

/** One tool as a command. Words without a flag fill what it cannot do without. */
export function toToolCommand(card: Card, caller: Caller, invoke: Invoke): Command {
  const fields = fieldsOf(card.inputSchema);
  return {
    words: toWords(card),
    group: card.toolset,
    summary: card.summary,
    fields,
    positionals: fields.filter((field) => field.required && field.kind !== 'json').map((field) => field.key),
    details: [
      ...card.guide.when.map((when) => `Use it when ${when}.`),
      ...(card.guide.not ?? []).map((not) => `Not when ${not}.`),
      ...(card.guide.example === undefined ? [] : [exampleLine(card, fields)]),
    ],
    isTool: true,
    isBulk: card.bulk === true,
    async run(values, { signal, idempotencyKey, tenant, progress }) {
      const outcome = await invoke({
        name: card.name,
        args: values,
        caller: tenant === undefined ? caller : { ...caller, tenant: toTenantId(tenant) },
        surface: 'cli',
        progress,
        ...(signal === undefined ? {} : { signal }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (!outcome.ok) throw toFormFault(card.faultForm, outcome.fault);
      return { value: outcome.value, exitCode: isFailure(outcome.value) ? 1 : 0 };
    },
  };
}
