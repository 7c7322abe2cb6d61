import type { ESTree } from 'rolldown/utils';
import type { FaultKind } from '#kernel/fault/fault.ts';
import { limits } from '#kernel/limits.ts';
import type { Card } from '#kernel/tool/card.ts';
import { isName, memberName, nodesOf, type Parsed } from './parsed.ts';

interface DeclaredFault {
  readonly table: string;
  readonly code: string;
  readonly at: string;
}

/** Every `const x = defineFaults({ CODE: … })`. */
function findDeclared(file: Parsed): readonly DeclaredFault[] {
  return nodesOf(file.program, 'VariableDeclarator').flatMap(({ id, init }) => {
    if (init?.type !== 'CallExpression' || !isName(init.callee, 'defineFaults') || id.type !== 'Identifier') return [];
    const [table] = init.arguments;
    const members = table?.type === 'ObjectExpression' ? table.properties : [];
    return members.flatMap((member) =>
      member.type === 'Property' && member.key.type === 'Identifier'
        ? [{ table: id.name, code: member.key.name, at: file.at(member) }]
        : [{ table: id.name, code: '(computed)', at: file.at(member) }],
    );
  });
}

interface UsedFault {
  readonly code: string;
  readonly at: string;
}

const findUsed = (file: Parsed, tables: ReadonlySet<string>): readonly UsedFault[] =>
  nodesOf(file.program, 'MemberExpression').flatMap((node) => {
    const code = memberName(node);
    return node.object.type === 'Identifier' && tables.has(node.object.name) && code !== undefined
      ? [{ code, at: file.at(node) }]
      : [];
  });

/** The code and the registry list the same faults, and each is raised somewhere. */
export function findRegistryViolations(files: readonly Parsed[], kinds: readonly FaultKind[]): readonly string[] {
  const declared = files.flatMap(findDeclared);
  const used = files.flatMap((file) => findUsed(file, new Set(declared.map(({ table }) => table))));
  const registered = new Set(kinds.map(({ code }) => code));
  const declaredCodes = new Set(declared.map(({ code }) => code));
  const usedCodes = new Set(used.map(({ code }) => code));
  return [
    ...declared
      .filter(({ code }) => !registered.has(code))
      .map(({ code, at }) => `${at} declares ${code}, which is not registered`),
    ...used
      .filter(({ code }) => !declaredCodes.has(code))
      .map(({ code, at }) => `${at} raises ${code}, which is not declared`),
    ...[...registered].filter((code) => !usedCodes.has(code)).map((code) => `${code} is registered and never raised`),
  ];
}

/** The codes of JSON-RPC, and the range it reserves for servers. */
const protocolCodes: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603]);
const isRpcCode = (rpc: number): boolean =>
  protocolCodes.has(rpc) || (Number.isInteger(rpc) && rpc <= -32000 && rpc >= -32099);

/** A retry helps only if the request itself was valid. */
const retryableStatus: ReadonlySet<number> = new Set([408, 409, 425, 429, 499, 500, 502, 503, 504]);
const fixChars = 240;

function findInKind({ code, rpc, http, retryable, fix }: FaultKind): readonly string[] {
  return [
    ...(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code) ? [] : ['its code is not in capitals']),
    ...(isRpcCode(rpc) ? [] : [`${rpc} is not a JSON-RPC code`]),
    ...(Number.isInteger(http) && http >= 400 && http <= 599 ? [] : [`${http} is not an HTTP error status`]),
    ...(retryable && !retryableStatus.has(http) ? [`retryable, but HTTP ${http} is not`] : []),
    ...(fix.length > 10 && fix.length <= fixChars && fix.endsWith('.')
      ? []
      : [`its fix is not a short sentence: ${fix}`]),
  ];
}

export const findKindViolations = (kinds: readonly FaultKind[]): readonly string[] =>
  kinds.flatMap((kind) => findInKind(kind).map((violation) => `${kind.code}: ${violation}`));

/** The reference has exactly one section per fault. */
export function findDocsViolations(kinds: readonly FaultKind[], reference: string): readonly string[] {
  const sections = reference.split('\n').flatMap((line) => (line.startsWith('## ') ? [line.slice(3)] : []));
  const codes = kinds.map(({ code }) => code);
  return [
    ...codes.filter((code) => !sections.includes(code)).map((code) => `${code} has no section in the reference`),
    ...sections
      .filter((section) => !codes.includes(section))
      .map((section) => `the reference explains ${section}, which is not a fault`),
    ...sections
      .filter((section, i) => sections.indexOf(section) !== i)
      .map((section) => `the reference explains ${section} twice`),
  ];
}

export function findCardFaultViolations(cards: readonly Card[], kinds: readonly FaultKind[]): readonly string[] {
  const codes = new Set(kinds.map(({ code }) => code));
  return cards.flatMap((card) =>
    card.faults.filter((code) => !codes.has(code)).map((code) => `${card.name} names ${code}, which is not a fault`),
  );
}

/** Their own fixes name no tool, value or command, because they are raised for everything. */
const generalCodes: ReadonlySet<string> = new Set(['NOT_FOUND', 'CONFLICT', 'PERMISSION_DENIED']);

const hasFix = (details: ESTree.Node | undefined): boolean =>
  details?.type === 'ObjectExpression' &&
  details.properties.some((member) => member.type === 'Property' && isName(member.key, 'fix'));

/** Search rebuilds the index again by itself when it meets this fault. */
const repeatedBySearch = 'src/kernel/search/keyword/index/rebuild.ts';

/** Every place that raises a fault of a general kind without a fix of its own. */
export const findVagueRaises = (files: readonly Parsed[]): readonly string[] =>
  files
    .filter(({ path }) => path !== repeatedBySearch)
    .flatMap((file) =>
      nodesOf(file.program, 'CallExpression').flatMap((call) => {
        const { callee, arguments: given } = call;
        if (callee.type !== 'MemberExpression' || !isName(callee.object, 'faults')) return [];
        const code = memberName(callee) ?? '';
        if (!generalCodes.has(code) || hasFix(given[1])) return [];
        return [`${file.at(call)} raises ${code} without a fix that names what helps`];
      }),
    );

/** A proposal has an entry or the id of one to remove; these tools change nothing else. */
const proposable: ReadonlySet<string> = new Set([
  'instructions/add',
  'instructions/import',
  'instructions/remove',
  'instructions/governanceUpdate',
]);

function findInGated({ name, guide }: Card): readonly string[] {
  const fix = guide?.whileShut;
  if (fix === undefined) return proposable.has(name) ? [] : [`${name} does not say what helps while the gate is shut`];
  return fix.endsWith('.') && fix.length <= limits.faultFixChars && /fourfold [a-z]+ /.test(fix)
    ? []
    : [`${name} names no command of an admin: ${fix}`];
}

/** Every tool behind the mutation gate whose error would advise a proposal that cannot be made. */
export const findGatedViolations = (cards: readonly Card[]): readonly string[] =>
  cards.filter(({ gated, expose }) => gated && expose.includes('mcp')).flatMap(findInGated);
