import type { Caller } from '#kernel/call.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { toFamilyFault } from '#kernel/tool/print-fault.ts';
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
export const toWords = (card: Card): readonly string[] => card.listedName.split('_');

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
    async run(values, { signal, idempotencyKey, progress }) {
      const outcome = await invoke({
        name: card.name,
        args: values,
        caller,
        progress,
        ...(signal === undefined ? {} : { signal }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (!outcome.ok) throw toFamilyFault(card.faultForm, outcome.fault);
      return { value: outcome.value };
    },
  };
}
