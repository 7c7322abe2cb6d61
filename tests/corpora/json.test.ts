import { describe, expect, it } from 'vitest';
import { parseMessage } from '#surfaces/mcp/parse-message.ts';
import { hasCorpora, listCorpus, readCorpus } from '#tests/support/corpora.ts';

const suite = 'JSONTestSuite/test_parsing';
const cases = listCorpus(suite).map((name) => ({ name, bytes: readCorpus(`${suite}/${name}`) }));

/** Each text of the suite becomes the `params` of a message. */
const asParams = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":'), bytes, Buffer.from('}}')]);

const codeOf = (bytes: Buffer): number | 'ok' => {
  const parsed = parseMessage(bytes);
  return 'fault' in parsed ? parsed.fault.kind.rpc : 'ok';
};

describe.runIf(hasCorpora)('the line parser on JSONTestSuite', () => {
  it('accepts every text that must be accepted', () => {
    const refused = cases.filter(({ name, bytes }) => name.startsWith('y_') && codeOf(asParams(bytes)) !== 'ok');
    expect(refused.map(({ name }) => name)).toEqual([]);
    expect(cases.filter(({ name }) => name.startsWith('y_')).length).toBeGreaterThan(90);
  });

  it('rejects every text that must be rejected, with a parse error or, when it is too deep, an invalid request', () => {
    const taken = cases.filter(({ name, bytes }) => name.startsWith('n_') && codeOf(bytes) === 'ok');
    expect(taken.map(({ name }) => name)).toEqual([]);
    expect(cases.filter(({ name }) => name.startsWith('n_')).length).toBeGreaterThan(180);
  });

  it('accepts or rejects the implementation-defined texts without failing', () => {
    for (const { bytes } of cases.filter(({ name }) => name.startsWith('i_'))) {
      expect(['ok', -32700, -32600]).toContain(codeOf(asParams(bytes)));
    }
  });
});
