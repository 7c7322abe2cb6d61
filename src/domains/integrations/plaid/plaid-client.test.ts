import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createOutbound } from '#kernel/outbound/outbound.ts';
import { plaidError, plaidSecrets, startPlaid } from '#tests/support/plaid-double.ts';
import { createPlaidClient } from './plaid-client.ts';
import { PlaidProblem } from './plaid-problem.ts';

const { clientId, secret } = plaidSecrets;
const { signal } = new AbortController();

async function openClient(allow: readonly string[] = ['127.0.0.1']) {
  const plaid = await startPlaid();
  onTestFinished(async () => {
    await plaid.close();
    expect(plaid.wrong).toEqual([]);
  });
  const waits: number[] = [];
  const client = createPlaidClient(
    { clientId, secret, url: plaid.url, outbound: createOutbound({ allow }) },
    { clock: createManualClock(), random: () => 0.5, wait: async (ms) => void waits.push(ms) },
  );
  return { plaid, client, waits };
}

async function problemOf(work: Promise<unknown>): Promise<PlaidProblem> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PlaidProblem);
  return error as PlaidProblem;
}

describe('[IG15] the client of Plaid', () => {
  test('waits longer each time, or as long as Plaid says, and gives up after some tries', async () => {
    const { plaid, client, waits } = await openClient();
    const busy = plaidError('RATE_LIMIT_EXCEEDED', 'RATE_LIMIT', 429);
    plaid.answerWith(() => plaidError('API_ERROR', 'INTERNAL_SERVER_ERROR', 500));
    expect((await problemOf(client.exchange('public-1', signal))).code).toBe('INTERNAL_SERVER_ERROR');
    expect([waits, plaid.requests.length]).toEqual([[500, 1_000], 3]);
    plaid.answerWith(() => ({ ...busy, headers: { 'retry-after': '7' } }));
    await problemOf(client.exchange('public-1', signal));
    expect(waits.slice(2)).toEqual([7_000, 7_000]);
    plaid.answerWith(() => ({ ...busy, headers: { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' } }));
    expect((await problemOf(client.exchange('public-1', signal))).retryAfterMs).toBeGreaterThan(1e9);
    expect(waits).toHaveLength(4);
  });

  test('[IG17] throws errors that hold neither the secret nor a token nor a text of Plaid', async () => {
    const { plaid, client } = await openClient();
    plaid.answerWith(() => ({
      status: 400,
      body: { error_type: 'ITEM_ERROR', error_code: 'ITEM_LOGIN_REQUIRED', error_message: `about ${secret}` },
    }));
    const problem = await problemOf(client.transactions('access-sandbox-1', null, signal));
    const shown = inspect(problem, { depth: 20, showHidden: true });
    expect([problem.code, shown.includes(secret), shown.includes('access-sandbox-1')]).toEqual([
      'ITEM_LOGIN_REQUIRED',
      false,
      false,
    ]);
  });

  test('sends nothing to an address that is neither public nor configured', async () => {
    const { plaid, client } = await openClient([]);
    expect((await problemOf(client.exchange('public-1', signal))).message).toContain('not a public host');
    expect(plaid.requests).toEqual([]);
  });
});
