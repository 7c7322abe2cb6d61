import { expect, test } from 'vitest';
import { allFaults } from '#app/all-faults.ts';
import type { FaultKind } from '#kernel/fault/fault.ts';
import { cardFixture } from './card.fixture.ts';
import { findCardFaultViolations, findDocsViolations, findKindViolations, findRegistryViolations } from './faults.ts';
import { parse } from './parsed.ts';
import { loadCards } from './toolsets.ts';
import { readProgram, readSource } from './tree.ts';

test('every fault of the code is registered, and every registered one is raised', () => {
  expect(findRegistryViolations(readProgram().map(parse), allFaults())).toEqual([]);
});

test('every fault has sound numbers and a fix', () => {
  expect(findKindViolations(allFaults())).toEqual([]);
});

test('the reference explains every fault and nothing else', () => {
  expect(findDocsViolations(allFaults(), readSource('docs/reference/faults.md').text)).toEqual([]);
});

test('every fault that a tool names exists', async () => {
  expect(findCardFaultViolations(await loadCards(), allFaults())).toEqual([]);
});

const plantKind = (wrong: Partial<FaultKind> = {}): FaultKind => ({
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
    codes.map((code) => plantKind({ code })),
  );

test('a fault that is declared, registered and raised is in order', () => {
  expect(registryViolationsOf(['PAD_LOST'], declaring, raising('PAD_LOST'))).toEqual([]);
});

test('a fault outside the registry, one never raised and one never declared are found', () => {
  expect(registryViolationsOf([], declaring, raising('PAD_LOST'))).toEqual([
    'src/domains/pads/faults.ts:1 declares PAD_LOST, which is not registered',
  ]);
  expect(registryViolationsOf(['PAD_LOST'], declaring)).toEqual(['PAD_LOST is registered and never raised']);
  expect(registryViolationsOf(['PAD_LOST'], declaring, raising('PAD_LOST'), raising('PAD_GONE'))).toEqual([
    'src/domains/pads/pads.ts:1 raises PAD_GONE, which nobody declares',
  ]);
});

test.for([
  ['its code is not in capitals', { code: 'padLost' }],
  ['-1 is no JSON-RPC code', { rpc: -1 }],
  ['-31000 is no JSON-RPC code', { rpc: -31000 }],
  ['200 is no HTTP status of an error', { http: 200 }],
  ['retryable, and HTTP 404 says it is not', { retryable: true }],
  ['its fix is no short sentence: ', { fix: '' }],
  ['its fix is no short sentence: Look for the pad', { fix: 'Look for the pad' }],
] as const)('a fault is found when %s', ([violation, wrong]) => {
  expect(findKindViolations([plantKind()])).toEqual([]);
  expect(findKindViolations([plantKind(wrong)])).toEqual([`${plantKind(wrong).code}: ${violation}`]);
});

test('a missing, a foreign and a doubled section of the reference are found', () => {
  const kinds = [plantKind()];
  expect(findDocsViolations(kinds, '# Faults\n\n## PAD_LOST\n\nFix.\n')).toEqual([]);
  expect(findDocsViolations(kinds, '# Faults\n\n### PAD_LOST\n')).toEqual(['PAD_LOST has no section in the reference']);
  expect(findDocsViolations([], '## PAD_LOST\n')).toEqual(['the reference explains PAD_LOST, which is no fault']);
  expect(findDocsViolations(kinds, '## PAD_LOST\n## PAD_LOST\n')).toEqual(['the reference explains PAD_LOST twice']);
});

test('a tool that names an unknown fault is found', () => {
  const kinds = [plantKind({ code: 'NOT_FOUND' })];
  expect(findCardFaultViolations([cardFixture()], kinds)).toEqual([]);
  expect(findCardFaultViolations([cardFixture({ faults: ['PAD_LOST'] })], kinds)).toEqual([
    'pads/keepOne names PAD_LOST, which is no fault',
  ]);
});
