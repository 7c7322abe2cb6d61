import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMiniLmThreads, type MiniLmThreadsOptions } from './minilm-thread.ts';
import { findModelFiles, openMiniLm } from './open-minilm.ts';

const files = await findModelFiles();
const never = new AbortController().signal;
const nowhere = { weights: '/nowhere/weights', tokenizer: '/nowhere/tokenizer' };

function plant(options: Partial<MiniLmThreadsOptions> = {}) {
  const thread = createMiniLmThreads({ files: files ?? nowhere, ...options });
  onTestFinished(() => thread.close());
  return {
    thread,
    query: (text: string) => thread.embed([text], { signal: never, purpose: 'query' }),
    documents: (texts: readonly string[], signal = never) => thread.embed(texts, { signal, purpose: 'document' }),
  };
}

test('without its package the model is missing, and nothing fails', async () => {
  expect(await openMiniLm({ batchCount: 1, find: async () => undefined })).toBeUndefined();
});

test('an unreadable model fails its callers, not the program', async () => {
  const { thread, query, documents } = plant({ files: nowhere });
  const asked = await Promise.allSettled([query('a'), documents(['b']), documents(['c'])]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(thread.isAwake()).toBe(false);
  await expect(query('again')).rejects.toThrow('the model failed');
});

describe.skipIf(files === undefined)('the model thread', () => {
  test('embeds, also when opened by name', async () => {
    const { query } = plant();
    const embedder = (await openMiniLm({ batchCount: 8 }))!;
    onTestFinished(() => embedder.close());
    const [ours] = await query('a happy person');
    const [theirs] = await embedder.embed(['a happy person'], { signal: never, purpose: 'document' });
    expect(theirs).toEqual(ours!.vector);
    expect(await embedder.embed([], { signal: never, purpose: 'document' })).toEqual([]);
  });

  test('answers a query while documents rest that were sent first', async () => {
    const { query, documents } = plant();
    await Promise.all([query('load'), documents(['load'])]);
    const order: string[] = [];
    const long = 'words that take their time to be read and understood. '.repeat(12);
    const many = Array.from({ length: 3 }, (_, i) => documents([long, long]).then(() => order.push(`documents ${i}`)));
    await Promise.all([...many, query('urgent').then(() => order.push('query'))]);
    expect(order).toHaveLength(4);
    expect(order[0]).toBe('query');
  });

  test.runIf(process.platform === 'linux')('embeds documents with the lowest priority, and queries not', async () => {
    const lowCount = () =>
      readdirSync('/proc/self/task').filter((id) => {
        const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
        // The fields after the name in parentheses; the seventeenth of them is the priority.
        return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] === '19';
      }).length;
    const { query, documents } = plant();
    const before = lowCount();
    await query('a');
    expect(lowCount()).toBe(before);
    await documents(['b']);
    expect(lowCount()).toBe(before + 1);
  });

  test('a cancelled job does not delay the others', async () => {
    const { documents } = plant();
    const controller = new AbortController();
    const kept = documents(['kept']);
    const running = documents(['first of all'], controller.signal);
    const waiting = documents(['waiting'], controller.signal);
    controller.abort(new Error('not wanted any more'));
    await expect(running).rejects.toThrow('not wanted');
    await expect(waiting).rejects.toThrow('not wanted');
    await expect(documents(['late'], controller.signal)).rejects.toThrow('not wanted');
    expect(await kept).toHaveLength(1);
  });

  test('rejects more jobs than the queue holds', async () => {
    const { documents } = plant({ queueCount: 3 });
    const fine = [documents(['a']), documents(['b', 'c'])];
    await expect(documents(['d', 'e'])).rejects.toMatchObject({ code: 'WORKERS_BUSY' });
    expect((await Promise.all(fine)).map(({ length }) => length)).toEqual([1, 2]);
  });

  test('unloads the idle model and loads it again', async () => {
    const { thread, query } = plant({ idleMs: 1 });
    const [before] = await query('a');
    await vi.waitFor(() => expect(thread.isAwake()).toBe(false), { timeout: 120_000 });
    expect(await query('a')).toEqual([before]);
  });

  test('rejects waiting and new jobs after closing', async () => {
    const { thread, query, documents } = plant();
    const waiting = documents(['a']);
    const closed = thread.close();
    await expect(waiting).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await closed;
    await expect(query('b')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(thread.isAwake()).toBe(false);
  });
});
