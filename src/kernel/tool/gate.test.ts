import { expect, it } from 'vitest';
import { localTenant, type Scope } from '../call.ts';
import { findAccessFault, permitsAt, withForwardedEffects } from './gate.ts';
import { createInvokeFixture } from './invoke.fixture.ts';
import type { Surface } from './tool.ts';

const effects = ['read', 'create', 'update', 'delete'] as const;
const { cards } = createInvokeFixture([
  ...effects.map((effect) => ({ name: effect, effect })),
  { name: 'gated', effect: 'update', gated: true },
  { name: 'gated_read', gated: true },
  { name: 'admin_read', scope: 'admin' },
  { name: 'forwarding', effect: 'delete', scope: 'read', forwards: true },
]);
const cardNamed = (name: string) => cards.find((card) => card.name === name)!;

const codes = (scopes: readonly Scope[], permits: { mutation: boolean; readOnly: boolean }) =>
  Object.fromEntries(
    cards.map((card) => {
      const caller = { tenant: localTenant, actor: 'a', scopes: new Set(scopes) };
      return [card.name, findAccessFault(card, caller, permits)?.code ?? 'may'];
    }),
  );

it('checks scope, mutation gate and read-only mode for every effect', () => {
  const all = {
    read: 'may',
    create: 'may',
    update: 'may',
    delete: 'may',
    gated: 'may',
    gated_read: 'may',
    admin_read: 'may',
    forwarding: 'may',
  };
  const no = 'PERMISSION_DENIED';
  const open = { mutation: true, readOnly: false };
  expect(codes(['admin'], open)).toEqual(all);
  expect(codes(['write'], open)).toEqual({ ...all, admin_read: no });
  expect(codes(['read'], open)).toEqual({ ...all, create: no, update: no, delete: no, gated: no, admin_read: no });
  expect(codes([], open)).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, no])));
  expect(codes(['admin'], { mutation: false, readOnly: false })).toEqual({ ...all, gated: 'MUTATION_DISABLED' });
  const readOnly = { create: 'READ_ONLY', update: 'READ_ONLY', delete: 'READ_ONLY', gated: 'READ_ONLY' };
  expect(codes(['admin'], { mutation: true, readOnly: true })).toEqual({ ...all, ...readOnly });
  expect(codes(['read', 'admin'], { mutation: false, readOnly: true })).toEqual({ ...all, ...readOnly });
});

it('[IN53] asks the gate before the scope, and lets only an admin at the command line or in the dashboard pass', () => {
  const shut = { mutation: false, readOnly: false };
  expect(codes(['read'], shut)['gated']).toBe('MUTATION_DISABLED');
  const passes = (surface: Surface | undefined, scope: Scope) =>
    permitsAt(surface, { tenant: localTenant, actor: 'a', scopes: new Set([scope]) }, shut).mutation;
  expect([passes('cli', 'admin'), passes('cli', 'write')]).toEqual([true, false]);
  expect([passes('mcp', 'admin'), passes('http', 'admin'), passes(undefined, 'admin')]).toEqual([false, false, false]);
  const signedIn = (scope: Scope) =>
    permitsAt('http', { tenant: localTenant, actor: 'a', scopes: new Set([scope]), isSignedIn: true }, shut).mutation;
  expect([signedIn('admin'), signedIn('write')]).toEqual([true, false]);
});

it('names the scope or the tool in the fault', () => {
  const caller = { tenant: localTenant, actor: 'a', scopes: new Set<Scope>(['read']) };
  const fault = findAccessFault(cardNamed('create'), caller, { mutation: true, readOnly: false });
  expect([fault?.message, fault?.details]).toEqual([
    'Permission denied: create requires the scope write',
    { scope: 'write' },
  ]);
});

it('gives a forwarding tool the effect of the strongest enabled tool', () => {
  const effectOf = (names: readonly string[], permits: { mutation: boolean; readOnly: boolean }) =>
    withForwardedEffects([...names, 'forwarding'].map(cardNamed), permits).at(-1)?.effect;
  expect(effectOf(['read', 'create', 'delete', 'update'], { mutation: true, readOnly: false })).toBe('delete');
  expect(effectOf(['read', 'create', 'gated'], { mutation: true, readOnly: false })).toBe('update');
  expect(effectOf(['read', 'create', 'gated'], { mutation: false, readOnly: false })).toBe('create');
  expect(effectOf(['read', 'delete'], { mutation: true, readOnly: true })).toBe('read');
  expect(effectOf([], { mutation: true, readOnly: false })).toBe('read');
});

it('counts only the tools that a forwarding tool forwards to', () => {
  const { cards: mixed } = createInvokeFixture([
    { name: 'a/get' },
    { name: 'a/put', effect: 'update', gated: true },
    { name: 'a/all', effect: 'update', forwards: 'a/' },
    { name: 'b/delete', effect: 'delete' },
  ]);
  const effectOf = (mutation: boolean) =>
    withForwardedEffects(mixed, { mutation, readOnly: false }).find(({ name }) => name === 'a/all')?.effect;
  expect([effectOf(false), effectOf(true)]).toEqual(['read', 'update']);
});
