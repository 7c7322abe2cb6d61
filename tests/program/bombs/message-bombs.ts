import { type Bomb, callBomb, lineBomb, manyFields, nestList, times } from './bomb.ts';

/** The largest message is 16 MiB. */
const whole = 15_900_000;

const message = (id: number, args: string, name = 'submit_payload'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

const list = (item: string): string => {
  const count = Math.floor(whole / (item.length + 1));
  return `[${`${item},`.repeat(count)}${item}]`;
};

const bodyBomb = (name: string, print: () => string): Bomb =>
  lineBomb(name, (id) => message(id, `{"body":${print()}}`));

/** Texts around the calls of tools: what the program reads before it knows the tool. */
export const messageBombs: readonly Bomb[] = [
  bodyBomb('16 MB of numbers', () => list('1')),
  bodyBomb('16 MB of long numbers', () => list('1.2345678901234567e-300')),
  bodyBomb('16 MB of empty objects', () => list('{}')),
  bodyBomb('16 MB of empty lists', () => list('[]')),
  bodyBomb('16 MB of null', () => list('null')),
  bodyBomb('16 MB of texts', () => list('"abcd"')),
  bodyBomb('16 MB of small objects', () => list('{"a":1,"b":2}')),
  bodyBomb('16 MB of nested lists', () => list(`${'['.repeat(20)}${']'.repeat(20)}`)),
  bodyBomb('16 MB of escapes', () => `"${'\\u0041'.repeat(Math.floor(whole / 6))}"`),
  bodyBomb('16 MB of escaped quotes', () => `"${'\\"'.repeat(Math.floor(whole / 2))}"`),
  bodyBomb('16 MB of surrogates', () => `"${'\\ud83d\\ude00'.repeat(Math.floor(whole / 12))}"`),
  bodyBomb('16 MB of lone surrogates', () => list('"\\ud83d"')),
  bodyBomb('16 MB of wide characters', () => `"${'語'.repeat(Math.floor(whole / 3))}"`),
  bodyBomb('16 MB of blanks', () => `${' '.repeat(whole)}1`),
  bodyBomb('a text of 16 MB', () => `"${'a'.repeat(whole)}"`),
  bodyBomb('16 MB of different keys', () => JSON.stringify(manyFields(900_000))),
  bodyBomb('16 MB of the same key', () => `{${'"a":1,'.repeat(Math.floor(whole / 6))}"a":1}`),
  bodyBomb('16 MB of keys that are numbers', () =>
    JSON.stringify(Object.fromEntries(times(900_000, (i) => [i * 7919, 0]))),
  ),
  bodyBomb('keys that are prototypes', () => `{${'"__proto__":{"constructor":1},'.repeat(100_000)}"a":1}`),
  lineBomb('arguments of 800,000 unknown names', (id) => message(id, JSON.stringify(manyFields(800_000)))),
  lineBomb('arguments of 50,000 unknown names', (id) => message(id, JSON.stringify(manyFields(50_000)))),
  lineBomb('a message that nests 8 million lists', (id) => message(id, '['.repeat(8_000_000))),
  lineBomb('a message that nests 60 lists of many', (id) =>
    message(
      id,
      `{"body":${JSON.stringify(
        nestList(
          50,
          times(50_000, (i) => i),
        ),
      )}}`,
    ),
  ),
  lineBomb('16 MB that are not JSON', () => 'x'.repeat(whole)),
  lineBomb('16 MB that are not UTF-8', () => Buffer.alloc(whole, 0xff)),
  lineBomb(
    'a batch of 100,000 messages',
    (id) => `[${times(100_000, () => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`).join(',')}]`,
  ),
  lineBomb('a message of 40 MB', (id) => message(id, `"${'a'.repeat(40_000_000)}"`)),
  lineBomb('a method of 16 MB', (id) => `{"jsonrpc":"2.0","id":${id},"method":"${'a'.repeat(whole)}"}`),
  lineBomb('the name of a tool of 16 MB', (id) => message(id, '{}', 'a'.repeat(whole))),
  lineBomb(
    'metadata of 60,000 members',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"health_check","_meta":${JSON.stringify(manyFields(60_000))}}}`,
  ),
  lineBomb(
    'a URI of 16 MB',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"resources/read","params":{"uri":"entity://${'%41'.repeat(5_000_000)}"}}`,
  ),
  lineBomb(
    'a cursor of 16 MB',
    (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{"cursor":"${'a'.repeat(whole)}"}}`,
  ),
  lineBomb(
    'the completion of a text of 16 MB',
    (id) =>
      `{"jsonrpc":"2.0","id":${id},"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"entity://{id}"},"argument":{"name":"id","value":"${'a'.repeat(whole)}"}}}`,
  ),
  callBomb('a search for tools with many words', 'tools_find', () => ({ query: 'a b '.repeat(100) })),
  callBomb('a call of a call of a call', 'tools_call', () => ({
    name: 'tools_call',
    arguments: { name: 'tools_call', arguments: manyFields(50_000) },
  })),
];
