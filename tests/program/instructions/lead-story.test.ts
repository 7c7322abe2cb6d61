import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import type { CatalogProgram, Json } from './catalog-program.fixture.ts';
import { engines, openOn } from './engines.fixture.ts';

const agentsFile = `# Payments

## Amounts
Never store money as a float. Use integer cents.

## Reviews
Every change has a reviewer.
`;

const cursorRule = `---
description: How to write React components
globs: web/**/*.tsx
---
Components are functions. Keep state close to where it is used.
`;

interface Applicable {
  readonly items: readonly { readonly id: string; readonly body?: string; readonly requirement: string }[];
}

describe.each(engines)('a day of a team lead and an agent, with %s', (engine) => {
  const { folder: project, remove } = makeFolder();
  let program: CatalogProgram;
  let proposalId: string;
  beforeAll(async () => {
    mkdirSync(join(project, '.cursor', 'rules'), { recursive: true });
    writeFileSync(join(project, 'AGENTS.md'), agentsFile);
    writeFileSync(join(project, '.cursor', 'rules', 'react.mdc'), cursorRule);
    program = await openOn(engine, {}, {});
  });
  afterAll(async () => {
    await program?.close();
    remove();
  });

  /** The lead works at the command line. */
  async function lead<T = Json>(...words: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await runProgram(['instructions', ...words, '--json'], program.env, '', project);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
  /** The agent has the listed tools only; the mutation gate is shut. */
  async function agent<T = Json>(name: string, args: Json): Promise<T> {
    const { tools } = await program.client.listTools();
    expect(tools.map((tool) => tool.name)).toContain(name);
    return program.value<T>('tools/call', name, args);
  }
  const rulesFor = async (args: Json) => (await agent<Applicable>('instructions_applicable', args)).items;

  it('the lead imports the rules of the repository with one command and confirms one', async () => {
    expect(await lead('import', '.')).toMatchObject({ imported: 3, errors: [] });
    const patch = '{"requirement":"mandatory","owner":"payments"}';
    expect(await lead('governance-update', '--id', 'amounts', '--patch', patch)).toMatchObject({ changed: true });
  });

  it('the agent gets the right ones with one call, the mandatory one first', async () => {
    await expect
      .poll(async () => (await rulesFor({ task: 'add a discount', files: ['web/Cart.tsx'] })).map(({ id }) => id))
      .toEqual(['amounts', 'react', 'reviews']);
    const rules = await rulesFor({ task: 'add a discount', files: ['api/cart.go'] });
    expect(rules.map(({ id, requirement }) => [id, requirement])).toEqual([
      ['amounts', 'mandatory'],
      ['reviews', 'recommended'],
    ]);
    expect(rules[0]!.body).toContain('integer cents');
  });

  it('the agent cannot change the rule, reads in the error how to propose, and proposes', async () => {
    const entry = { id: 'amounts', body: 'Never store money as a float. Use integer cents and name the currency.' };
    const refused = await program.error('tools/call', 'instructions/add', { entry, overwrite: true });
    expect(refused).toMatchObject({ code: -32000, data: { suggestion: expect.stringContaining('propose') as string } });
    const { tools } = await agent<{ tools: readonly { name: string }[] }>('tools_find', { query: 'propose a rule' });
    expect(tools.map(({ name }) => name).join(' ')).toContain('propose');
    const reason = 'two currencies were added up';
    const proposed = await agent<{ proposal_id: string; proposed: boolean }>('tools_call', {
      name: 'instructions/propose',
      arguments: { entry, reason },
    });
    expect(proposed.proposed).toBe(true);
    proposalId = proposed.proposal_id;
    expect((await rulesFor({}))[0]!.body).not.toContain('currency');
  });

  it('the lead sees the difference, approves it, and the agent gets the new text', async () => {
    expect(await lead('proposals')).toMatchObject({
      items: [
        {
          proposal_id: proposalId,
          reason: 'two currencies were added up',
          diff: [
            '-Never store money as a float. Use integer cents.',
            '+Never store money as a float. Use integer cents and name the currency.',
          ].join('\n'),
        },
      ],
    });
    expect(await lead('approve', proposalId)).toMatchObject({ approved: true });
    await expect.poll(async () => (await rulesFor({}))[0]?.body).toContain('name the currency');
    expect(await lead('history', '--id', 'amounts')).toMatchObject({
      versions: [{ by: 'local', approvedBy: 'local', proposal_id: proposalId }, {}, {}],
    });
  });

  it('the lead takes it back with one command', async () => {
    const { versions } = await lead<{ versions: readonly { number: number }[] }>('history', '--id', 'amounts');
    await lead('rollback', '--id', 'amounts', '--to', String(versions[1]!.number), '--reason', 'too strict');
    await expect.poll(async () => (await rulesFor({}))[0]?.body).not.toContain('currency');
    expect(await rulesFor({})).toMatchObject([{ id: 'amounts', requirement: 'mandatory' }, { id: 'reviews' }]);
  });

  it('the lead edits the file, syncs it, and sees what agents were given', async () => {
    writeFileSync(join(project, 'AGENTS.md'), agentsFile.replace('has a reviewer', 'has two reviewers'));
    expect(await lead('sync', 'AGENTS.md')).toMatchObject({ updated: 1, added: 0, archived: 0, conflicts: 0 });
    await expect.poll(async () => JSON.stringify(await rulesFor({}))).toContain('two reviewers');
    const isServed = async () => JSON.stringify(await lead('inspect', '--scope', 'usage'));
    await expect.poll(isServed).toMatch(/"id":"amounts"[^}]*"appliesCount":[1-9]/);
  });
});
