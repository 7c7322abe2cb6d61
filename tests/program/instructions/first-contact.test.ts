import { expect, it, onTestFinished } from 'vitest';
import { mutationOn, openCatalog } from './catalog-program.fixture.ts';

async function open(env: Readonly<Record<string, string>>) {
  const program = await openCatalog({ FOURFOLD_TOOLSETS: 'instructions', ...env });
  onTestFinished(() => program.close());
  const { tools } = await program.client.listTools();
  return { program, hints: tools.find(({ name }) => name === 'instructions_dispatch')?.annotations };
}

it('the server asks an agent to get the rules before it begins, in a few words', async () => {
  const { program } = await open({});
  const text = program.client.getInstructions() ?? '';
  expect(text).toMatch(/start each task with recall/i);
  expect(text).toContain('instructions_applicable');
  expect(text.length).toBeLessThan(1_200);
});

it('dispatch is marked by the strongest of its actions that is enabled', async () => {
  expect((await open({ FOURFOLD_READ_ONLY: '1' })).hints).toMatchObject({ readOnlyHint: true });
  // While the gate is shut, a proposal is the only write. It changes no rule.
  expect((await open({})).hints).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  expect((await open(mutationOn)).hints).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});
