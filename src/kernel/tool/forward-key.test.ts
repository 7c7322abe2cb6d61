import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { openDoor, told } from './door.fixture.ts';
import type { ToolCall } from './tool.ts';

/** A tool that writes, and one that calls it three times. */
function openTwice(suffixes: readonly (string | undefined)[]) {
  const seen: (string | undefined)[] = [];
  const door = openDoor([
    {
      name: 'make',
      effect: 'create',
      run(_input: never, call: ToolCall) {
        seen.push(call.idempotencyKey);
        return { ok: true };
      },
    },
    {
      name: 'many',
      effect: 'update',
      forwards: true,
      async run(_input: never, call: ToolCall) {
        for (const suffix of suffixes) await call.forward('make', {}, suffix);
        return { ok: true };
      },
    },
  ]);
  return { door, seen };
}

describe('the idempotency key of an inner call', () => {
  it("is the caller's when the tool stands for one other tool", async () => {
    const { door, seen } = openTwice([undefined]);
    await door.call('many', {}, { idempotencyKey: 'k' });
    expect(seen).toEqual(['k']);
  });

  it('is one of its own for each of several', async () => {
    const { door, seen } = openTwice(['/0', '/1', '/2']);
    await door.call('many', {}, { idempotencyKey: 'k' });
    expect(seen).toEqual(['k/0', 'k/1', 'k/2']);
  });

  it('is not made up when the caller gave none', async () => {
    const { door, seen } = openTwice(['/0']);
    await door.call('many');
    expect(seen).toEqual([undefined]);
  });

  it('is the same at every repetition, also when the key is as long as it may be', async () => {
    const key = 'k'.repeat(limits.idempotencyKeyChars);
    const { door, seen } = openTwice(['/0', '/1']);
    expect(told(await door.call('many', {}, { idempotencyKey: key }))).toEqual({ ok: true });
    await door.call('many', {}, { idempotencyKey: key });
    expect(seen[0]).not.toBe(seen[1]);
    expect(seen.slice(0, 2)).toEqual(seen.slice(2));
    expect(seen.every((inner) => inner !== undefined && inner.length <= limits.idempotencyKeyChars)).toBe(true);
  });
});
