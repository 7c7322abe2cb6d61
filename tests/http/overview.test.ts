import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AskTool, openServedApp, type ServedApp } from './served-app.fixture.ts';

interface Overview {
  readonly attention: readonly { readonly kind: string; readonly count: number; readonly text: string }[];
  readonly clear: readonly string[];
  readonly changes?: readonly { readonly tool: string; readonly actorName: string }[];
  readonly calls?: readonly { readonly tool: string }[];
  readonly usage: { readonly hours: readonly { readonly memory: string; calls: number; writes: number }[] };
  readonly rules: { readonly most: readonly { readonly id: string }[]; readonly never: readonly string[] };
  readonly unavailable: readonly { readonly part: string; readonly why: string }[];
}

const rule = (id: string, body: string) => ({
  entry: { id, title: id, body, priority: 50, audience: 'all', requirement: 'recommended', categories: ['style'] },
});

describe.each(['SQLite', 'PostgreSQL'] as const)('the overview and single changes on %s', (engine) => {
  let served: ServedApp;
  let operator: AskTool;
  let reader: AskTool;
  let acme: AskTool;
  beforeAll(async () => {
    served = await openServedApp(engine);
    operator = (await served.as('admin', { name: 'laptop' })).ask;
    reader = (await served.as('read')).ask;
    acme = (await served.as('admin', { tenant: 'acme' })).ask;
  });
  afterAll(() => served.close());

  const good = async <T = Record<string, unknown>>(ask: AskTool, name: string, args: object = {}): Promise<T> => {
    const { status, body } = await ask<T>(name, args);
    expect([name, status, status === 200 ? '' : body]).toEqual([name, 200, '']);
    return body;
  };
  const kinds = ({ attention }: Overview) => attention.map(({ kind }) => kind);

  test('[SY12] names what was checked when nothing needs a person', async () => {
    const body = await good<Overview>(acme, 'overview');
    expect(body.attention).toEqual([]);
    expect(body.unavailable).toEqual([]);
    expect(body.clear).toEqual(expect.arrayContaining(['store', 'proposals', 'contradictions', 'connectors', 'gates']));
    expect(body.clear).not.toContain('damage');
    expect((await good<Overview>(operator, 'overview')).clear).toEqual(expect.arrayContaining(['damage', 'jobs']));
  });

  test('[SY12] counts what needs a person, with a sentence', async () => {
    await good(operator, 'instructions/add', rule('tabs', 'Indent with tabs.'));
    await good(operator, 'instructions/propose', { ...rule('spaces', 'Indent with spaces.'), reason: 'readability' });
    for (const amount of [100, 250]) {
      const subject = { type: 'project', name: 'Apollo' };
      const fields = { budget: amount };
      await good(operator, 'store_fact', { subject, fields, source: `letter ${amount}`, effective_at: '2025-05' });
    }
    const body = await good<Overview>(operator, 'overview');
    expect(kinds(body)).toEqual(expect.arrayContaining(['proposals', 'contradictions']));
    expect(body.attention.find(({ kind }) => kind === 'proposals')).toMatchObject({
      count: 1,
      isMore: false,
      memory: 'instructions',
      severity: 'decision',
      text: '1 proposed rule waits for a decision',
      tool: 'instructions/proposals',
    });
    expect(kinds(await good<Overview>(acme, 'overview'))).toEqual([]);
  });

  test('[SY12] leaves the changes out for a reader, and groups them for an admin', async () => {
    for (const scratch_id of ['a', 'b', 'c']) await good(operator, 'scratch_create', { scratch_id });
    const [newest] = (await good<Overview>(operator, 'overview')).changes!;
    expect(newest).toMatchObject({
      tool: 'scratch_create',
      memory: 'notebooks',
      parts: [{ topic: 'scratchpad', what: 'create', count: 3, items: [{ id: 'c' }, { id: 'b' }, { id: 'a' }] }],
      actorName: 'laptop',
    });
    expect(
      (await good<Overview>(operator, 'overview')).calls?.find(({ tool }) => tool === 'scratch_create'),
    ).toMatchObject({ actorName: 'laptop', memory: 'notebooks', ok: true, count: 3 });
    expect((await good<Overview>(acme, 'overview')).calls?.map(({ tool }) => tool)).not.toContain('scratch_create');
    const forReader = await good<Overview>(reader, 'overview');
    expect(forReader).not.toHaveProperty('changes');
    expect(forReader).not.toHaveProperty('calls');
    expect(kinds(forReader)).toContain('proposals');
  });

  test('[SY12] counts calls and writes per memory and hour, and which rules were served', async () => {
    await good(reader, 'instructions/applicable', { task: 'indent code with tabs' });
    const { usage, rules } = await good<Overview>(reader, 'overview');
    const sum = (memory: string, what: 'calls' | 'writes') =>
      usage.hours.filter((hour) => hour.memory === memory).reduce((all, hour) => all + hour[what], 0);
    expect(sum('notebooks', 'writes')).toBe(3);
    expect(sum('notebooks', 'calls')).toBe(3);
    expect(sum('instructions', 'calls')).toBeGreaterThan(sum('instructions', 'writes'));
    expect([...rules.most.map(({ id }) => id), ...rules.never]).toContain('tabs');
    expect((await good<Overview>(acme, 'overview')).usage.hours.map(({ memory }) => memory)).toEqual(['system']);
  });

  test('[SY12] names a part that fails and shows the others', async () => {
    mkdirSync(join(served.home, 'instructions'), { recursive: true });
    const file = join(served.home, 'instructions', 'gates.json');
    writeFileSync(file, '{ not json');
    const body = await good<Overview>(operator, 'overview');
    expect(body.unavailable).toEqual([{ part: 'gates', why: expect.stringContaining('gates.json') as string }]);
    expect(kinds(body)).toContain('proposals');
    rmSync(file);
    expect((await good<Overview>(operator, 'overview')).unavailable).toEqual([]);
    expect(await operator('overview', { tenant: 'acme' })).toMatchObject({ status: 400 });
  });

  test('[SY11] shows what a change of a rule or a fact replaced', async () => {
    await good(operator, 'instructions/add', { ...rule('tabs', 'Indent with two tabs.'), overwrite: true });
    const seqOf = async (filter: object) =>
      (await good<{ rows: { seq: number }[] }>(operator, 'audit/list', { ...filter, limit: 1 })).rows[0]!.seq;
    const shown = await good(operator, 'audit/show', { seq: await seqOf({ topic: 'instruction', id: 'tabs' }) });
    expect(shown).toMatchObject({
      row: { id: 'tabs', memory: 'instructions', actorName: 'laptop', what: 'update' },
      change: { version: 2, diff: expect.stringMatching(/-Indent with tabs\.\n\+Indent with two tabs\./) as string },
    });
    expect(await good(operator, 'audit/show', { seq: await seqOf({ topic: 'entity' }) })).toMatchObject({
      row: { name: 'Apollo' },
      change: { fields: [{ field: 'budget', before: 100, after: 250 }] },
    });
    const pad = await good(operator, 'audit/show', { seq: await seqOf({ topic: 'scratchpad' }) });
    expect(pad).toMatchObject({ notKept: expect.stringContaining('No earlier state') as string });
    expect(pad).not.toHaveProperty('change');
  });

  test('[SY11] rejects a reader, an unknown row and the rows of another tenant', async () => {
    expect(await reader('audit/show', { seq: 1 })).toMatchObject({ status: 403 });
    expect(await operator('audit/show', { seq: 1_000_000 })).toMatchObject({ status: 404 });
    expect(await operator('audit/show', { seq: 0 })).toMatchObject({ status: 400 });
    const { rows } = await good<{ rows: { seq: number }[] }>(operator, 'audit/list', { limit: 1 });
    expect(await acme('audit/show', { seq: rows[0]!.seq })).toMatchObject({ status: 404 });
  });

  test('[SY5] filters the trail by actor, tool and time', async () => {
    const { rows } = await good<{ rows: { actor: string; at: string }[] }>(operator, 'audit/list', {
      tool: 'scratch_create',
    });
    expect(rows).toHaveLength(3);
    const { actor, at } = rows[0]!;
    const byActor = await good<{ rows: unknown[] }>(operator, 'audit/list', {
      actor,
      tool: 'scratch_create',
      from: at,
    });
    expect(byActor.rows.length).toBeGreaterThan(0);
    expect(await good(operator, 'audit/list', { actor: 'key:unknown' })).toEqual({ rows: [] });
    expect(await good(operator, 'audit/list', { to: '2001-01-01T00:00:00Z' })).toEqual({ rows: [] });
    expect(await operator('audit/list', { from: 'yesterday' })).toMatchObject({ status: 400 });
    expect(await reader('audit/list')).toMatchObject({ status: 403 });
  });
});
