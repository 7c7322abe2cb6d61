import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { engines, type Json, type ServedTruth, serveTruth, type TruthCaller } from '../truth/truth-program.fixture.ts';

interface Made {
  readonly tenant: string;
  readonly sign_in: string;
}

describe.each(engines)('the example company on %s', (engine) => {
  let server: ServedTruth;
  let operator: TruthCaller;
  beforeAll(async () => {
    server = await serveTruth(engine);
    operator = await server.connect(server.served.key);
    await operator.call('remember', { text: 'the red cable' });
  });
  afterAll(async () => {
    await operator?.client.close();
    await server?.stop();
  });

  /** What an export has about a tenant. */
  const exportOf = async (tenant: string) =>
    runProgram(['export', '--tenant', tenant, '--to', `${server.store.folder}/${tenant}.jsonl`], server.store.env);

  it('is only for the operator', async () => {
    const key = await server.makeKey('acme', 'admin');
    for (const tool of ['demo_create', 'demo_remove']) {
      const { status, body } = await server.post(key, tool, {});
      expect(status).toBe(403);
      expect(JSON.stringify(body)).toContain('operator');
    }
    const { status } = await server.post(await server.makeKey('local'), 'demo_create', {});
    expect(status).toBe(403);
  });

  it('has something of everything, exists once, and is removed without a trace in other tenants', async () => {
    const { tenant, sign_in } = await operator.call<Made>('demo_create');
    expect(sign_in).toMatch(/^ffl_/);
    expect((await server.post(server.served.key, 'demo_create', {})).status).toBe(409);
    const again = await runProgram(['demo'], server.store.env);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain(tenant);

    const lead = await server.connect(await server.makeKey(tenant, 'admin'));
    const count = async (tool: string, part: string, args: Json = {}) =>
      ((await lead.call(tool, args))[part] as readonly unknown[]).length;
    expect(await count('instructions_list', 'items')).toBeGreaterThan(6);
    expect(await count('instructions_history', 'versions', { id: 'deploy-window' })).toBeGreaterThan(2);
    expect(await count('instructions_proposals', 'items', { state: 'pending' })).toBe(1);
    expect(await count('instructions_list_archived', 'items')).toBe(1);
    expect(await count('knowledge_list', 'libraries')).toBeGreaterThan(0);
    expect(await count('scratch_list', 'scratchpads')).toBeGreaterThan(2);
    expect(await count('scratch_trash', 'scratchpads')).toBe(1);
    expect(await count('list_contradictions', 'contradictions')).toBe(1);
    expect(await count('list_potential_duplicates', 'duplicates')).toBeGreaterThan(0);
    expect(await count('recall_receipts', 'receipts')).toBeGreaterThan(3);
    const { records } = await lead.call<{ records: readonly Json[] }>('retrieve_records', {});
    expect(records.filter(({ file_urls: files }) => (files as readonly string[]).length > 0)).toHaveLength(1);
    const recalled = await lead.call('recall', { task: 'refund a customer' });
    expect(JSON.stringify(recalled['rules'])).toContain('refunds-need-two');

    const about = await lead.call('recall', { task: 'when does Tallowmere Frames deliver?', memories: ['truth'] });
    expect(about['contradictions']).toMatchObject([{ field: 'lead_time_weeks', values: [6, 9] }]);

    expect(await operator.call('demo_remove')).toMatchObject({ removed: true, tenant });
    expect((await server.post(await server.makeKey('acme'), 'recall_receipts', {})).status).toBe(200);
    await expect(lead.call('scratch_list')).rejects.toThrow(/revoked|Unauthorized|401/i);
    expect(await operator.call('demo_remove')).toEqual({ removed: false });
    expect((await exportOf(tenant)).stdout).not.toContain('deploy-window');
    const { notes } = await operator.call<{ notes: readonly Json[] }>('recall', { task: 'the red cable' });
    expect(notes).toHaveLength(1);
    const { stdout } = await runProgram(['doctor', '--json'], server.store.env);
    expect(stdout).not.toContain('audit trail');
    expect(stdout).not.toContain('"status":"fail"');

    const next = await runProgram(['demo', '--json'], server.store.env);
    const made = JSON.parse(next.stdout) as { readonly tenant: string; readonly link: string };
    expect(made.tenant).not.toBe(tenant);
    expect(made.link).toContain('/sign-in#ffl_');
    expect((await runProgram(['demo', 'remove'], server.store.env)).code).toBe(0);
  });
});
