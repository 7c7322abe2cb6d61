import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, compose } from '#app/compose.ts';
import { loadSettings } from '#config/load-settings.ts';
import { type Caller, localTenant } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import { type Card, isCommandOnly } from '#kernel/tool/card.ts';
import { createAnswers } from '#surfaces/mcp/answers.ts';
import { faultBytes } from '#tests/support/fault-bytes.ts';
import { nastyCases } from '../support/nasty-arguments.ts';

const caller: Caller = { tenant: localTenant, actor: 'mallory', scopes: new Set(['admin']) };

/** The size of each value, and how many cases of each tool to try; more with the variable. */
const bytes = 120_000;
const casesPerTool = Number(process.env['FOURFOLD_TEST_NASTY_CASES'] ?? 6);

let home: string;
let app: App;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ff-nasty-'));
  const env = { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'silent', FOURFOLD_SEMANTIC: '0', MCP_ENABLE_MUTATION: '1' };
  app = compose(loadSettings({ argv: [], env, cwd: home, platform: process.platform }).settings, 'http');
});
afterAll(async () => {
  await app.close();
  rmSync(home, { recursive: true, force: true });
});

/** A fixed choice that differs from tool to tool. */
function sample<T>(items: readonly T[], count: number, seed: number): readonly T[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return items
    .map((item) => ({ item, order: next() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}

/** The longest answer to a failed call in any form: `tools/call`, a plain method, the HTTP API. */
async function bytesOfFault(card: Card, args: unknown): Promise<number> {
  const outcome = await app.invoke({ name: card.name, args, caller });
  if (outcome.ok) return 0;
  expect(outcome.fault.code).not.toBe('INTERNAL');
  const id = 'i'.repeat(limits.requestIdChars);
  const server = { name: 'x', title: 'x', version: '1' };
  const answers = createAnswers({ ids: app.ids, log: app.log, server, answers: 'both' });
  const texts = (['legacy', 'modern'] as const).flatMap((era) => [
    answers.toolText(id, era, answers.toToolAnswer(outcome, era)),
    answers.plainText(id, era, outcome),
  ]);
  return Math.max(...texts.map((text) => Buffer.byteLength(text)));
}

test('no tool answers nasty arguments with an internal error or a fault over the limit', async () => {
  const tools = app.registry.cards.filter((card) => !isCommandOnly(card));
  expect(tools.length).toBeGreaterThan(100);
  let tried = 0;
  for (const [i, card] of tools.entries()) {
    for (const make of sample(nastyCases(card, bytes), casesPerTool, i + 1)) {
      const { label, args } = make();
      expect.soft(await bytesOfFault(card, args), label).toBeLessThanOrEqual(faultBytes);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(tools.length * 3);
}, 120_000);
