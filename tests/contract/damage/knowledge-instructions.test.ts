import { describe, expect, test } from 'vitest';
import { expectDamage } from './expect-damage.ts';
import { openApp } from './open-app.ts';

const engines = ['SQLite', 'PostgreSQL'] as const;

describe.each(engines)('knowledge that was damaged in the store on %s', (engine) => {
  async function start() {
    const app = await openApp(engine);
    const pages = [
      { path: 'one.md', content: '# One\n\nThe walrus swims.\n' },
      { path: 'two.md', content: '# Two\n\nAnother walrus sleeps.\n' },
    ];
    await app.good('knowledge_ingest', { library: 'sea', version: '1.0.0', pages });
    const found = (await app.good('search_docs', { query: 'walrus', library: 'sea' })) as { results: { id: string }[] };
    const idOf = (path: string) => found.results.find(({ id }) => id.includes(path))!.id;
    return { ...app, one: idOf('one.md'), two: idOf('two.md') };
  }

  test('is read while it is intact', async () => {
    const { ask, one, reopen } = await start();
    await reopen();
    expect(JSON.stringify(await ask('knowledge_read', { id: one }))).toContain('The walrus swims');
  });

  test('is not served with a damaged section, and a search leaves that section out', async () => {
    const { ask, damage, one, two } = await start();
    await damage("update knowledge_sections set body = replace(body, 'swims', 'swans') where path = 'one.md'");
    expectDamage(await ask('knowledge_read', { id: one }), 'section one.md');
    expect(JSON.stringify(await ask('knowledge_read', { id: two }))).toContain('sleeps');
    const found = JSON.stringify(await ask('search_docs', { query: 'walrus', library: 'sea' }));
    expect(found).toContain('two.md');
    expect(found).not.toContain('swans');
  });

  test('is not served with a damaged page or library, and is written again by an ingest', async () => {
    const { ask, good, damage, one } = await start();
    await damage("update knowledge_pages set title = 'Won' where path = 'one.md'");
    expectDamage(await ask('knowledge_read', { id: one }), 'page one.md');
    expectDamage(await ask('knowledge_pages', { library: 'sea', version: '1.0.0', prefix: '' }), 'page one.md');
    const pages = [{ path: 'one.md', content: '# One\n\nThe walrus dives.\n' }];
    await good('knowledge_ingest', { library: 'sea', version: '1.0.0', pages });
    expect(JSON.stringify(await ask('knowledge_read', { id: one }))).toContain('dives');
    await damage("update knowledge_libraries set source = 'elsewhere'");
    expectDamage(await ask('knowledge_list'), 'library sea@1.0.0');
    expectDamage(await ask('knowledge_remove', { library: 'sea' }), 'library sea@1.0.0');
  });
});

describe.each(engines)('feedback that was damaged in the store on %s', (engine) => {
  test('is not served', async () => {
    const { ask, good, damage } = await openApp(engine);
    const given = { type: 'issue', severity: 'low', title: 'walrus', description: 'It swims very well.' };
    const { feedbackId: id } = await good('feedback/submit', given);
    await good('feedback/update', { id, status: 'acknowledged', adminNotes: 'seen' });
    expect(JSON.stringify(await ask('feedback/get', { id }))).toContain('seen');
    await damage("update feedback set description = 'It flies.'");
    expectDamage(await ask('feedback/get', { id }), `feedback ${String(id)}`);
    expectDamage(await ask('feedback/list'), `feedback ${String(id)}`);
    expectDamage(await ask('feedback/update', { id, status: 'closed' }), `feedback ${String(id)}`);
  });
});

test('an instruction that was damaged in the table is not served, and a search leaves it out', async () => {
  const { ask, good, damage, reopen } = await openApp('PostgreSQL');
  for (const id of ['sound', 'hurt']) {
    const entry = {
      id,
      title: `walrus ${id}`,
      body: `The walrus of ${id}.`,
      priority: 50,
      audience: 'all',
      requirement: 'optional',
      categories: ['sea'],
    };
    await good('instructions/add', { entry });
  }
  await reopen();
  expect(JSON.stringify(await ask('instructions/get', { id: 'hurt' }))).toContain('The walrus of hurt');
  await damage("update instructions set document = replace(document, 'walrus of', 'walnut of') where id = 'hurt'");
  expectDamage(await ask('instructions/get', { id: 'hurt' }), 'instruction hurt');
  expect(JSON.stringify(await ask('instructions/get', { id: 'sound' }))).toContain('The walrus of sound');
  const found = JSON.stringify(await ask('instructions/search', { q: 'walrus' }));
  expect(found).toContain('sound');
  expect(found).not.toContain('hurt');
});
