import { type Card, isCommandOnly, type JsonSchema } from '#kernel/tool/card.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${asText(value)}\``).join(' \\| ');
  if ('const' in schema) return `\`${asText(schema['const'])}\``;
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return choices.map((choice) => typeOf(choice as JsonSchema)).join(' \\| ');
  if (schema['type'] === 'array') return `${typeOf((schema['items'] ?? {}) as JsonSchema)}[]`;
  return typeof schema['type'] === 'string' ? schema['type'] : 'any';
}

function boundsOf(schema: JsonSchema): string {
  const words: string[] = [];
  if ('minimum' in schema || 'maximum' in schema)
    words.push(`${asText(schema['minimum'] ?? '…')} to ${asText(schema['maximum'] ?? '…')}`);
  if ('maxLength' in schema) words.push(`at most ${asText(schema['maxLength'])} characters`);
  if ('maxItems' in schema) words.push(`at most ${asText(schema['maxItems'])} items`);
  if ('default' in schema) words.push(`default \`${asText(schema['default'])}\``);
  return words.join(', ');
}

function propertiesOf(schema: JsonSchema) {
  const required = new Set((schema['required'] as readonly string[] | undefined) ?? []);
  const properties = (schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined) ?? {};
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(property),
    isRequired: required.has(name) && !('default' in property),
    about: [property['description'], boundsOf(property)].filter(Boolean).join('; '),
  }));
}

function table(title: string, schema: JsonSchema): string {
  const rows = propertiesOf(schema);
  if (rows.length === 0) return `${title}: none.\n`;
  const lines = rows.map(
    ({ name, type, isRequired, about }) => `| \`${name}\`${isRequired ? '' : '?'} | ${type} | ${about} |`,
  );
  return `${title}:\n\n| field | type | |\n|---|---|---|\n${lines.join('\n')}\n`;
}

function traits(card: Card): string {
  const words = [`effect ${card.effect}`, `scope ${card.scope}`];
  if (card.listed) words.push('listed by default');
  if (card.gated) words.push('behind MCP_ENABLE_MUTATION');
  if (card.rate !== undefined) words.push(`at most ${card.rate.limit} calls in ${card.rate.windowMs / 1000} s`);
  return `${words.join('; ')}.`;
}

const failLevels = ({ failOn = [] }: Card): readonly string[] =>
  failOn.length === 0
    ? []
    : [
        `On the command line, \`--fail-on\` chooses what ends it with exit code 1: ${failOn.map((level) => `\`${level}\``).join(', ')} or \`none\`; default \`${failOn[0]}\`.`,
        '',
      ];

function promises({ guarantees }: Card): readonly string[] {
  if (guarantees === undefined) return [];
  const { consistency, delayMaxMs, deterministic, why } = guarantees;
  const seen = consistency === 'strong' ? 'strong' : `bounded, at most ${(delayMaxMs ?? 0) / 1000} s`;
  const reason = why === undefined ? '' : ` (${why})`;
  return [`Consistency: ${seen}; deterministic: ${deterministic ? 'yes' : 'no'}${reason}.`, ''];
}

function section(card: Card): string {
  const { guide } = card;
  const place = isCommandOnly(card)
    ? `On the command line only: \`fourfold ${card.command ?? card.listedName.replaceAll('_', ' ')}\``
    : `Listed as \`${card.listedName}\``;
  const lines = [`### ${card.name}`, '', card.summary, '', `${place}; ${traits(card)}`, ''];
  lines.push(...promises(card), ...failLevels(card));
  lines.push(...guide.when.map((when) => `- Use it when ${when}.`));
  lines.push(...(guide.not ?? []).map((not) => `- Not when ${not}.`));
  lines.push('', table('Arguments', card.inputSchema), table('Answer', card.outputSchema));
  if (guide.example !== undefined) lines.push('```json', JSON.stringify(guide.example, null, 2), '```', '');
  if (card.faults.length > 0) {
    lines.push(`Faults: ${card.faults.map((code) => `[${code}](faults.md#${code.toLowerCase()})`).join(', ')}.`, '');
  }
  return lines.join('\n');
}

export function renderToolsReference(cards: readonly Card[]): string {
  const toolsets = [...new Set(cards.map((card) => card.toolset))];
  const parts = toolsets.map((toolset) =>
    [`## ${toolset}`, '', ...cards.filter((card) => card.toolset === toolset).map(section)].join('\n'),
  );
  return ['# Tools', '', 'Every tool, by toolset. In a name, `_` may be written for `/`.', '', ...parts].join('\n');
}
