import { expect, test } from 'vitest';
import { toTenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import { accessLimits } from './access-limits.ts';
import { makeKey, toKeyText } from './api-key.ts';
import { createWrongKeys } from './wrong-keys.ts';

const { wrongKeysFreeCount, wrongKeyDelayMs, wrongKeyDelayMaxMs, wrongKeysForgetMs } = accessLimits;

/** Records how long each answer would wait. Answers that are held wait until `release`. */
function setUp({ isHeld = false } = {}) {
  const clock = createManualClock();
  const waits: number[] = [];
  const released = Promise.withResolvers<void>();
  const wrongKeys = createWrongKeys(clock, async (ms) => {
    waits.push(ms);
    if (isHeld) await released.promise;
  });
  return { clock, waits, wrongKeys, release: released.resolve };
}

const anyKey = () => toKeyText(makeKey(toTenantId('acme')));

test('delays wrong keys of one address more and more, up to a maximum', async () => {
  const { waits, wrongKeys } = setUp();
  for (let i = 0; i < wrongKeysFreeCount + 8; i += 1) await wrongKeys.delay('10.0.0.1', anyKey());
  expect(waits.slice(0, 3)).toEqual([wrongKeyDelayMs, 2 * wrongKeyDelayMs, 4 * wrongKeyDelayMs]);
  expect(waits.at(-1)).toBe(wrongKeyDelayMaxMs);
  await wrongKeys.delay('10.0.0.2', anyKey());
  expect(waits).toHaveLength(8);
});

test('delays wrong secrets of one key id from many addresses', async () => {
  const { waits, wrongKeys } = setUp();
  const key = makeKey(toTenantId('acme'));
  for (let i = 0; i < wrongKeysFreeCount + 1; i += 1) {
    await wrongKeys.delay(`10.0.0.${i}`, toKeyText({ ...key, secret: makeKey(key.tenant).secret }));
  }
  expect(waits).toEqual([wrongKeyDelayMs]);
});

test('counts the addresses of one IPv6 network together, and IPv4 in either form', async () => {
  const { waits, wrongKeys } = setUp();
  for (let i = 0; i <= wrongKeysFreeCount; i += 1) await wrongKeys.delay(`2001:db8:1:2:${i}::1`, 'nonsense');
  expect(waits).toHaveLength(1);
  for (let i = 0; i <= wrongKeysFreeCount; i += 1) await wrongKeys.delay(`2001:db8::${i}`, 'nonsense');
  expect(waits).toHaveLength(2);
  for (let i = 0; i < wrongKeysFreeCount; i += 1) await wrongKeys.delay('10.0.0.1', 'nonsense');
  await wrongKeys.delay('::ffff:10.0.0.1', 'nonsense');
  expect(waits).toHaveLength(3);
});

test('forgets an address after a while', async () => {
  const { clock, waits, wrongKeys } = setUp();
  for (let i = 0; i < wrongKeysFreeCount; i += 1) await wrongKeys.delay('10.0.0.1', 'nonsense');
  clock.advance(wrongKeysForgetMs + 1);
  await wrongKeys.delay('10.0.0.1', 'nonsense');
  expect(waits).toEqual([]);
});

test('holds only a few answers per address and in total, and asks the others to retry later', async () => {
  const { wrongKeys, waits, release } = setUp({ isHeld: true });
  const addressesCount = 40;
  const answers = Array.from({ length: addressesCount }, (_, address) =>
    Array.from({ length: 30 }, () => wrongKeys.delay(`10.0.0.${address}`, 'nonsense')),
  );
  expect(waits).toHaveLength(accessLimits.heldAnswersCount);
  release();
  const [first] = await Promise.all(answers.map((some) => Promise.all(some)));
  const refused = first?.filter((fault) => fault !== undefined) ?? [];
  expect(refused).toHaveLength(30 - wrongKeysFreeCount - accessLimits.heldAnswersPerAddressCount);
  expect(refused[0]).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retry_after_seconds: 2 } });
  expect(await wrongKeys.delay('10.0.0.1', 'nonsense')).toBeUndefined();
});

test('remembers a bounded number of addresses', async () => {
  const { waits, wrongKeys } = setUp();
  for (let i = 0; i < wrongKeysFreeCount; i += 1) await wrongKeys.delay('10.0.0.1', 'nonsense');
  for (let i = 0; i < accessLimits.wrongKeysCount; i += 1) await wrongKeys.delay(`a${i}`, 'nonsense');
  await wrongKeys.delay('10.0.0.1', 'nonsense');
  expect(waits).toEqual([]);
});
