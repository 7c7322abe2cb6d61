import { describe, expect, it } from 'vitest';
import { defineFaults, Fault, fault, faultKinds } from './fault.ts';
import { faults } from './kernel-faults.ts';

const planted = defineFaults({
  TOO_WARM: fault({
    rpc: -32001,
    http: 422,
    retryable: true,
    say: (p: { degrees: number }) => `It is ${p.degrees}°`,
    fix: 'Open a window.',
  }),
  CLOSED: fault({ rpc: -32002, http: 409, retryable: false, say: () => 'It is closed', fix: 'Come back tomorrow.' }),
});

describe('a fault', () => {
  it('has our own message, its kind, its details and its cause', () => {
    const cause = new Error('sensor');
    const made = planted.TOO_WARM({ degrees: 31 }, { room: 'attic' }, { cause });
    expect(made).toBeInstanceOf(Fault);
    expect(made).toBeInstanceOf(Error);
    expect([made.name, made.code, made.message, made.details, made.cause]).toEqual([
      'Fault',
      'TOO_WARM',
      'It is 31°',
      { room: 'attic' },
      cause,
    ]);
    expect(made.kind).toEqual({ code: 'TOO_WARM', rpc: -32001, http: 422, retryable: true, fix: 'Open a window.' });
  });

  it('without parameters is created without any', () => {
    const made = planted.CLOSED();
    expect([made.message, made.details]).toEqual(['It is closed', {}]);
  });

  it('has a frozen kind that is known without creating one', () => {
    expect(planted.CLOSED.kind).toBe(planted.CLOSED().kind);
    expect(Object.isFrozen(planted.CLOSED.kind)).toBe(true);
    expect(faultKinds(planted as never).map(({ code }) => code)).toEqual(['TOO_WARM', 'CLOSED']);
  });
});

describe('the faults of the kernel', () => {
  it('have the documented codes', () => {
    const numbers = {
      PARSE_ERROR: -32700,
      INVALID_REQUEST: -32600,
      METHOD_NOT_FOUND: -32601,
      INVALID_PARAMS: -32602,
      INTERNAL: -32603,
      MUTATION_DISABLED: -32000,
      RESOURCE_LIMIT: -32001,
      VALIDATION_ERROR: -32002,
      INTEGRITY_ERROR: -32003,
      PERMISSION_DENIED: -32004,
      READ_ONLY: -32004,
    } as const;
    for (const [code, rpc] of Object.entries(numbers))
      expect(faults[code as keyof typeof numbers].kind.rpc, code).toBe(rpc);
  });
});
