import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { toCards } from '#kernel/tool/card.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineTool, defineToolset } from '#kernel/tool/tool.ts';

export interface TestDomain {
  readonly storage: Storage;
  /** Called when a call of test/wait begins, and when its caller is gone. */
  readonly waiting: { started(): void; cancelled(): void; until: Promise<void> };
}

const facts = { title: 'T', summary: 'For tests.', guide: { when: ['testing'] }, faults: [] };
const anything = z.looseObject({});

const echo = defineTool({
  ...facts,
  name: 'test/echoText',
  effect: 'read',
  input: z.strictObject({ text: z.string().max(1_000_000).optional(), nested: z.unknown().optional() }),
  output: anything,
  run: (_domain: TestDomain, input) => input,
});

const whoami = defineTool({
  ...facts,
  name: 'test/whoami',
  effect: 'read',
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain, _input, call) => ({ tenant: call.tenant, actor: call.actor, scopes: [...call.scopes] }),
});

const boom = defineTool({
  ...facts,
  name: 'test/boom',
  effect: 'read',
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain) => {
    throw new Error('the secret is swordfish');
  },
});

const limited = defineTool({
  ...facts,
  name: 'test/limited',
  effect: 'read',
  rate: { limit: 1, windowMs: 60_000 },
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain) => ({ ok: true }),
});

const wait = defineTool({
  ...facts,
  name: 'test/wait',
  effect: 'read',
  input: z.strictObject({}),
  output: anything,
  run: async ({ waiting }: TestDomain, _input, call) => {
    call.signal.addEventListener('abort', () => waiting.cancelled());
    waiting.started();
    await waiting.until;
    return { waited: true };
  },
});

const put = defineTool({
  ...facts,
  name: 'test/put',
  effect: 'create',
  input: z.strictObject({ id: z.string() }),
  output: anything,
  run: ({ storage }: TestDomain, { id }, call) =>
    storage.write(call, function* (db) {
      yield* db.run(sql`
        insert into trash (tenant, topic, id, document, actor, at) values (${db.tenant}, 'things', ${id}, '{}', 'x', ${db.now})
        on conflict do nothing`);
      yield* db.changed('things', id, 'create', `hash-${id}`);
      return { put: id };
    }),
});

const cliOnly = defineTool({
  ...facts,
  name: 'test/cliOnly',
  effect: 'read',
  expose: ['cli'],
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain) => ({ ok: true }),
});

const failing = (name: string) =>
  defineTool({
    ...facts,
    name,
    effect: 'read',
    input: z.strictObject({}),
    output: anything,
    run: (_domain: TestDomain) => {
      throw faults.NOT_FOUND({ what: 'pad p1' }, { scratch_id: 'p1' });
    },
  });

/** An item has an id too, which is not a trace id. */
const factLost = defineTool({
  ...facts,
  name: 'fact_lost',
  effect: 'read',
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain) => {
    throw faults.NOT_FOUND({ what: 'fact' }, { id: 'fact-1' });
  },
});

const factBoom = defineTool({ ...boom, name: 'fact_boom' });

const factLimited = defineTool({
  ...facts,
  name: 'fact_limited',
  effect: 'read',
  rate: { limit: 100, windowMs: 60_000 },
  input: z.strictObject({}),
  output: anything,
  run: (_domain: TestDomain) => ({ ok: true }),
});

const forwardAny = defineTool({
  ...facts,
  name: 'test/forward',
  effect: 'delete',
  forwards: true,
  scope: 'read',
  input: z.strictObject({ name: z.string() }),
  output: anything,
  run: (_domain: TestDomain, { name }, call) => call.forward(name, {}),
});

const toolsets = [
  defineToolset({
    name: 'test',
    faultForm: 'numeric',
    tools: [echo, whoami, boom, limited, wait, put, cliOnly, forwardAny],
  }),
  defineToolset({ name: 'pads', faultForm: 'flagged', tools: [failing('pad_fail')] }),
  defineToolset({ name: 'docs', faultForm: 'plain', tools: [failing('doc_fail')] }),
  defineToolset({ name: 'facts', faultForm: 'traced', tools: [failing('fact_fail'), factLost, factBoom, factLimited] }),
];

export const createTestRegistry = (domain: TestDomain) =>
  createRegistry(
    toolsets.flatMap((toolset) => toCards(toolset)),
    Object.fromEntries(toolsets.map((toolset) => [toolset.name, async () => bindToolset(toolset, domain)])),
  );
