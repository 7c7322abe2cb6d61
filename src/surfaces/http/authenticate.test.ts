import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Access } from '#kernel/access/access.ts';
import { type Caller, localTenant } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { createAuthenticate } from './authenticate.ts';

const caller: Caller = { tenant: localTenant, actor: 'key:1', scopes: new Set(['read']) };

test('delays the answer to a wrong key, and never that to a right one', async () => {
  const delayed: string[] = [];
  const access = {
    recall: () => undefined,
    verify: async (bearer: string) => {
      if (bearer === 'right') return caller;
      return bearer === 'wrong'
        ? faults.UNAUTHORIZED({ why: 'the key is unknown' })
        : faults.STORE_UNAVAILABLE({ why: 'x' });
    },
  } as unknown as Access;
  const authenticate = createAuthenticate(
    access,
    true,
    { prove() {} },
    {
      async delay(address, bearer) {
        delayed.push(`${address} ${bearer}`);
        return delayed.length > 1 ? faults.RATE_LIMIT_EXCEEDED({ retryAfterS: 2 }) : undefined;
      },
    },
  );
  const ask = async (bearer: string) =>
    authenticate({
      headers: { authorization: `Bearer ${bearer}` },
      socket: { remoteAddress: '10.0.0.1' },
    } as unknown as IncomingMessage);
  expect(await ask('wrong')).toMatchObject({ code: 'UNAUTHORIZED' });
  expect(await ask('wrong')).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  expect(await ask('right')).toBe(caller);
  expect(await ask('other')).toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(delayed).toEqual(['10.0.0.1 wrong', '10.0.0.1 wrong']);
});
