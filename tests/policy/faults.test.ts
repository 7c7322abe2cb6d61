import { expect, test } from 'vitest';
import { allFaults } from '#app/all-faults.ts';
import type { FaultKind } from '#kernel/fault/fault.ts';
import { cardFixture } from './card.fixture.ts';
import {
  findCardFaultViolations,
  findDocsViolations,
  findGatedViolations,
  findKindViolations,
  findRegistryViolations,
  findVagueRaises,
} from './faults.ts';
import { parse } from './parsed.ts';
import { loadCards } from './toolsets.ts';
import { readProgram, readSource } from './tree.ts';

test('every declared fault is registered, and every registered fault is raised', () => {
  expect(findRegistryViolations(readProgram().map(parse), allFaults())).toEqual([]);
});

test('every fault has valid codes and a fix', () => {
  expect(findKindViolations(allFaults())).toEqual([]);
});

test('every fault of a general kind is raised with a fix that fits the place', () => {
  expect(findVagueRaises(readProgram().map(parse))).toEqual([]);
});

test('every gated tool says what helps while the gate is shut', async () => {
  expect(findGatedViolations(await loadCards())).toEqual([]);
});

test('the reference explains exactly the registered faults', () => {
  expect(findDocsViolations(allFaults(), readSource('docs/reference/faults.md').text)).toEqual([]);
});

test('every fault that a tool names exists', async () => {
  expect(findCardFaultViolations(await loadCards(), allFaults())).toEqual([]);
});

const kindFixture = (wrong: Partial<FaultKind> = {}): FaultKind => ({
  code: 'PAD_LOST',
  rpc: -32002,
  http: 404,
  retryable: false,
  fix: 'List the pads and take one of those.',
  ...wrong,
});

const declaring = {
  path: 'src/domains/pads/faults.ts',
  text: 'export const padFaults = defineFaults({ PAD_LOST: fault({ rpc: 1 }) });',
};
const raising = (code: string) => ({ path: 'src/domains/pads/pads.ts', text: `throw padFaults.${code}({ id });` });
const registryViolationsOf = (codes: readonly string[], ...files: readonly { path: string; text: string }[]) =>
  findRegistryViolations(
    files.map(parse),
    codes.map((code) => kindFixture({ code })),
  );

test('accepts a fault that is declared, registered and raised', () => {
  expect(registryViolationsOf(['PAD_LOST'], declaring, raising('PAD_LOST'))).toEqual([]);
});

test('finds faults that are not registered, never raised, or never declared', () => {
  expect(registryViolationsOf([], declaring, raising('PAD_LOST'))).toEqual([
    'src/domains/pads/faults.ts:1 declares PAD_LOST, which is not registered',
  ]);
  expect(registryViolationsOf(['PAD_LOST'], declaring)).toEqual(['PAD_LOST is registered and never raised']);
  expect(registryViolationsOf(['PAD_LOST'], declaring, raising('PAD_LOST'), raising('PAD_GONE'))).toEqual([
    'src/domains/pads/pads.ts:1 raises PAD_GONE, which is not declared',
  ]);
});

test.for([
  ['its code is not in capitals', { code: 'padLost' }],
  ['-1 is not a JSON-RPC code', { rpc: -1 }],
  ['-31000 is not a JSON-RPC code', { rpc: -31000 }],
  ['200 is not an HTTP error status', { http: 200 }],
  ['retryable, but HTTP 404 is not', { retryable: true }],
  ['its fix is not a short sentence: ', { fix: '' }],
  ['its fix is not a short sentence: Look for the pad', { fix: 'Look for the pad' }],
] as const)('finds a fault: %s', ([violation, wrong]) => {
  expect(findKindViolations([kindFixture()])).toEqual([]);
  expect(findKindViolations([kindFixture(wrong)])).toEqual([`${kindFixture(wrong).code}: ${violation}`]);
});

test('finds missing, unknown and duplicate sections of the reference', () => {
  const kinds = [kindFixture()];
  expect(findDocsViolations(kinds, '# Faults\n\n## PAD_LOST\n\nFix.\n')).toEqual([]);
  expect(findDocsViolations(kinds, '# Faults\n\n### PAD_LOST\n')).toEqual(['PAD_LOST has no section in the reference']);
  expect(findDocsViolations([], '## PAD_LOST\n')).toEqual(['the reference explains PAD_LOST, which is not a fault']);
  expect(findDocsViolations(kinds, '## PAD_LOST\n## PAD_LOST\n')).toEqual(['the reference explains PAD_LOST twice']);
});

test('finds a tool that names an unknown fault', () => {
  const kinds = [kindFixture({ code: 'NOT_FOUND' })];
  expect(findCardFaultViolations([cardFixture()], kinds)).toEqual([]);
  expect(findCardFaultViolations([cardFixture({ faults: ['PAD_LOST'] })], kinds)).toEqual([
    'pads/keepOne names PAD_LOST, which is not a fault',
  ]);
});

test('finds a fault of a general kind that is raised without a fix', () => {
  const raises = (text: string) => findVagueRaises([parse({ path: 'src/pads.ts', text })]);
  expect(raises("throw faults.NOT_FOUND({ what: id }, { id, fix: 'scratch_list lists them.' });")).toEqual([]);
  expect(raises('throw faults.CONFLICT({ why }, { id, fix });')).toEqual([]);
  expect(raises('throw faults.STORE_BUSY();')).toEqual([]);
  expect(raises('throw faults.NOT_FOUND({ what: id });')).toEqual([
    'src/pads.ts:1 raises NOT_FOUND without a fix that names what helps',
  ]);
  expect(raises('throw faults.PERMISSION_DENIED({ why }, { id });')).toHaveLength(1);
});

test('finds a gated tool that advises a proposal, or names no command', () => {
  const gated = (name: string, whileShut?: string) =>
    findGatedViolations([
      cardFixture({ name, gated: true, guide: { when: [], ...(whileShut !== undefined && { whileShut }) } }),
    ]);
  expect(gated('instructions/add')).toEqual([]);
  expect(gated('pads/approve', 'An admin approves it: fourfold pads approve <id>.')).toEqual([]);
  expect(gated('pads/approve')).toEqual(['pads/approve does not say what helps while the gate is shut']);
  expect(gated('pads/approve', 'Ask an admin.')).toEqual(['pads/approve names no command of an admin: Ask an admin.']);
});
