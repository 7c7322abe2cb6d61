import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Json, md, type NotebookProgram, openOn } from './notebook-program.ts';

describe.each(engines)('namespaces through a real client, on %s', (engine) => {
  let program: NotebookProgram;
  const list = async (): Promise<Readonly<Record<string, number>>> => {
    interface Listed {
      readonly namespaces: readonly { readonly namespace: string; readonly scratchpad_count: number }[];
    }
    const { namespaces, ...rest } = await program.call<Listed>('scratch_namespace_list');
    expect(rest).toEqual({ ok: true });
    return Object.fromEntries(namespaces.map(({ namespace, scratchpad_count }) => [namespace, scratchpad_count]));
  };
  const plant = (scratch_id: string, namespace: string): Promise<Json> =>
    program.call('scratch_create', {
      scratch_id,
      metadata: { namespace, tags: [`t-${scratch_id}`] },
      cells: [md('x')],
    });
  const rename = (old_namespace: string, new_namespace: string, more: Json = {}): Json => ({
    old_namespace,
    new_namespace,
    ...more,
  });

  beforeAll(async () => {
    program = await openOn(engine);
  });
  afterAll(() => program.close());

  it('are created once', async () => {
    const ask = () => program.call('scratch_namespace_create', { namespace: 'first' });
    expect(await ask()).toEqual({ ok: true, namespace: 'first', created: true });
    expect(await ask()).toEqual({ ok: true, namespace: 'first', created: false });
    expect(await list()).toEqual({ first: 0 });
  });

  it('are registered and counted when pads are written, reset and deleted', async () => {
    await plant('n1', 'work');
    await plant('n2', 'work');
    expect(await list()).toEqual({ first: 0, work: 2 });
    await plant('n2', 'elsewhere');
    expect(await list()).toEqual({ elsewhere: 1, first: 0, work: 1 });
    await program.call('scratch_delete', { scratch_id: 'n2' });
    expect(await list()).toEqual({ elsewhere: 0, first: 0, work: 1 });
  });

  it('take their pads with them when renamed', async () => {
    await plant('r1', 'old');
    await plant('r2', 'old');
    const answer = await program.call('scratch_namespace_rename', rename('old', 'new'));
    expect(answer).toEqual({ ok: true, namespace: 'new', migrated_count: 2 });
    expect(await list()).toMatchObject({ new: 2 });
    expect(await list()).not.toHaveProperty('old');
    const pad = await program.read('r1', { namespaces: ['new'] });
    expect(pad).toMatchObject({ namespace: 'new', metadata: { namespace: 'new' } });
    expect((await program.fail('scratch_read', { scratch_id: 'r1', namespaces: ['old'] })).code).toBe('CONFLICT');
    expect(await program.call('scratch_list_tags', { namespaces: ['new'] })).toMatchObject({
      scratchpad_tags: ['t-r1', 't-r2'],
    });
  });

  it('leave their pads when migrate_scratchpads is false', async () => {
    await plant('s1', 'staying');
    const answer = await program.call(
      'scratch_namespace_rename',
      rename('staying', 'moved-on', { migrate_scratchpads: false }),
    );
    expect(answer).toEqual({ ok: true, namespace: 'moved-on', migrated_count: 0 });
    expect(await list()).toMatchObject({ staying: 1, 'moved-on': 0 });
    expect((await program.read('s1')).namespace).toBe('staying');
  });

  it('are renamed only if they exist and the new name is free', async () => {
    await plant('c1', 'one');
    await plant('c2', 'two');
    const before = await list();
    expect((await program.fail('scratch_namespace_rename', rename('unknown', 'x'))).code).toBe('NOT_FOUND');
    for (const onto of ['two', 'one']) {
      const error = await program.fail('scratch_namespace_rename', rename('one', onto));
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { namespace: onto } });
    }
    expect(await list()).toEqual(before);
    expect((await program.read('c1')).namespace).toBe('one');
  });

  it('are deleted when empty, or with their pads when delete_scratchpads is true', async () => {
    await plant('d1', 'doomed');
    await plant('d2', 'doomed');
    const error = await program.fail('scratch_namespace_delete', { namespace: 'doomed' });
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { namespace: 'doomed', scratchpad_count: 2 } });
    expect((await program.read('d1')).cell_count).toBe(1);
    const ask = (more: Json = {}) => program.call('scratch_namespace_delete', { namespace: 'doomed', ...more });
    const { removed_scratchpads, ...rest } = await ask({ delete_scratchpads: true });
    expect(rest).toMatchObject({ ok: true, deleted: true });
    expect((removed_scratchpads as readonly string[]).toSorted()).toEqual(['d1', 'd2']);
    expect((await program.fail('scratch_read', { scratch_id: 'd1' })).code).toBe('NOT_FOUND');
    expect(await list()).not.toHaveProperty('doomed');
    expect(await ask()).toEqual({ ok: true, deleted: false, removed_scratchpads: [] });
    await program.call('scratch_namespace_create', { namespace: 'doomed' });
    expect(await ask()).toMatchObject({ ok: true, deleted: true, removed_scratchpads: [] });
  });

  it.each([
    ['scratch_namespace_create', { namespace: '' }],
    ['scratch_namespace_create', { namespace: '  ' }],
    ['scratch_namespace_create', { namespace: 'x'.repeat(129) }],
    ['scratch_namespace_create', {}],
    ['scratch_namespace_rename', { old_namespace: 'first', new_namespace: '' }],
    ['scratch_namespace_rename', { old_namespace: 'first' }],
    ['scratch_namespace_delete', { namespace: 7 }],
    ['scratch_namespace_list', { limit: 1 }],
  ])('%s rejects %j and changes nothing', async (name, args) => {
    const before = await list();
    expect((await program.fail(name, args)).code).toBe('VALIDATION_ERROR');
    expect(await list()).toEqual(before);
  });

  it('may have any name', async () => {
    for (const namespace of ['ünïcode 🙂', 'a/b', "it's", '%_', '__proto__', 'x'.repeat(128)]) {
      await plant('odd', namespace);
      expect((await program.read('odd', { namespaces: [namespace] })).namespace).toBe(namespace);
      const { scratchpads } = await program.call<{ scratchpads: readonly Json[] }>('scratch_list', {
        namespaces: [namespace],
      });
      expect(scratchpads).toHaveLength(1);
    }
  });
});
