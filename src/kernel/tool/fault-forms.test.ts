import { describe, expect, it } from 'vitest';
import { faultKinds } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';
import { toFaultObject, toFormFault, toRpcCode, toRpcError } from './fault-forms.ts';

const missing = faults.NOT_FOUND({ what: 'pad x' }, { id: 'x' });
const invalid = faults.INVALID_PARAMS({ why: '/id must be string' }, { method: 'm', errors: [] });
const gated = faults.MUTATION_DISABLED({ tool: 'instructions/add' });
const print = (
  form: Parameters<typeof toFaultObject>[0],
  fault = missing,
  era: 'legacy' | 'modern' = 'legacy',
): unknown => JSON.parse(JSON.stringify(toFaultObject(form, fault, era, 'trace-1')));

describe('a fault in the form of its family', () => {
  it('has a number, a name and a fix', () => {
    expect(print('numeric')).toEqual({
      error: {
        code: -32602,
        message: 'Not found: pad x',
        data: {
          name: 'NOT_FOUND',
          id: 'x',
          suggestion: missing.kind.fix,
          documentation: 'docs/reference/faults.md#not_found',
        },
      },
    });
  });

  it('has ok: false, its message twice, and a fix among its details', () => {
    const error = { code: 'NOT_FOUND', message: 'Not found: pad x', error: 'Not found: pad x' };
    const { fix } = missing.kind;
    expect(print('flagged')).toEqual({ ok: false, error: { ...error, details: { id: 'x', fix } } });
    const listed = faults.NOT_FOUND({ what: 'pad x' }, { fix: 'Use pad y.' });
    expect(print('flagged', listed)).toEqual({ ok: false, error: { ...error, details: { fix: 'Use pad y.' } } });
    expect(print('numeric', listed)).toMatchObject({ error: { data: { suggestion: 'Use pad y.' } } });
  });

  it('has a trace id', () => {
    expect(print('traced')).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: 'Not found: pad x',
        details: { id: 'x', fix: missing.kind.fix },
        trace_id: 'trace-1',
      },
    });
  });

  it('reports invalid arguments as VALIDATION_ERROR in families without another code', () => {
    expect(print('flagged', invalid)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(print('traced', invalid)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    expect(print('numeric', invalid)).toMatchObject({
      error: { code: -32602, data: { name: 'INVALID_PARAMS', method: 'm' } },
    });
  });
});

describe('numbers', () => {
  it('shifts our codes for revisions that reserve their range, and keeps those of JSON-RPC', () => {
    expect([-32000, -32004, -32099].map((rpc) => toRpcCode(rpc, 'modern'))).toEqual([-31000, -31004, -31099]);
    expect([-32000, -32004, -32099].map((rpc) => toRpcCode(rpc, 'legacy'))).toEqual([-32000, -32004, -32099]);
    const standard = [-32700, -32600, -32601, -32602, -32603, -32100, -31999];
    expect(standard.map((rpc) => toRpcCode(rpc, 'modern'))).toEqual(standard);
    expect([toRpcError(gated, 'legacy').code, toRpcError(gated, 'modern').code]).toEqual([-32000, -31000]);
  });

  it('never uses the reserved range in a modern answer', () => {
    for (const kind of faultKinds(faults)) {
      const code = toRpcCode(kind.rpc, 'modern');
      expect(code <= -32000 && code >= -32099, kind.code).toBe(false);
    }
  });
});

it('uses the code of each family on a surface with one form for all', () => {
  const fault = faults.INVALID_PARAMS({ why: 'no' }, { errors: [] });
  expect(toFormFault('numeric', fault)).toBe(fault);
  expect(toFormFault(undefined, fault)).toBe(fault);
  for (const form of ['flagged', 'traced'] as const) {
    const { code, message, details, kind } = toFormFault(form, fault);
    expect({ code, message, details }).toEqual({
      ...{ message: fault.message, details: fault.details },
      code: 'VALIDATION_ERROR',
    });
    expect(kind.fix).toBe(fault.kind.fix);
    const other = faults.NOT_FOUND({ what: 'it' });
    expect(toFormFault(form, other)).toBe(other);
  }
});
