import { expect, test } from 'vitest';
import { parseMessage, refusalText } from './parse-message.ts';

const codeOf = (bytes: Buffer): number | undefined => {
  const parsed = parseMessage(bytes);
  return parsed.ok ? undefined : JSON.parse(refusalText(parsed.fault)).error.code;
};

test.each([
  ['text that is no JSON', Buffer.from('{"jsonrpc":'), -32700],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), -32700],
  ['a batch', Buffer.from('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), -32600],
  ['a number', Buffer.from('7'), -32600],
  ['null', Buffer.from('null'), -32600],
  ['a hundred thousand brackets', Buffer.from('['.repeat(100_000)), -32600],
  ['an object one level too deep', Buffer.from(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`), -32600],
  ['more than sixteen mebibytes', Buffer.alloc(16 * 1024 * 1024 + 1, 0x20), -32600],
])('rejects %s with the right code', (_, bytes, code) => {
  expect(codeOf(bytes)).toBe(code);
});

test('accepts the deepest allowed object', () => {
  expect(codeOf(Buffer.from(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`))).toBeUndefined();
});

test('takes the last of duplicate keys, and treats __proto__ as an ordinary key', () => {
  const parsed = parseMessage(Buffer.from('{"id":1,"id":2,"__proto__":{"polluted":true}}'));
  expect(parsed).toMatchObject({ ok: true, message: { id: 2 } });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('repeats the id of a rejected request if it can be read', () => {
  const parsed = parseMessage(Buffer.from('nothing'));
  if (parsed.ok) throw new Error('it was taken');
  expect(JSON.parse(refusalText(parsed.fault, { id: 'x' })).id).toBe('x');
  expect(JSON.parse(refusalText(parsed.fault, { id: { a: 1 } })).id).toBeNull();
  expect(JSON.parse(refusalText(parsed.fault)).id).toBeNull();
});
