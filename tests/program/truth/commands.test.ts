import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { startVictim } from '#tests/support/survival/victim.ts';
import { engines, type Json, payloadInput, type Snapshot, type Submitted } from './truth-program.fixture.ts';

type Asks = <T = Json>(name: string, args?: Json) => Promise<T>;

/** A data folder for commands; tools are called by a program that ends before the next command. */
async function makeHome(engine: (typeof engines)[number] = 'SQLite') {
  const { folder, remove } = makeFolder();
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  onTestFinished(async () => {
    await database?.drop();
    remove();
  });
  const env = {
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_FILE_ROOTS: folder,
    FOURFOLD_LOG_LEVEL: 'error',
    ...(database !== undefined && { FOURFOLD_DATABASE_URL: database.url }),
  };
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, '--json'], env, '', folder);
    return { code, value: JSON.parse(stdout === '' ? stderr : stdout) as Json, text: stdout + stderr };
  };
  return {
    folder,
    run,
    async done(...args: readonly string[]): Promise<Json> {
      const { code, value, text } = await run(...args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${text}`);
      return value;
    },
    async asking<T>(work: (ask: Asks) => Promise<T>): Promise<T> {
      const program = await startVictim(env);
      const ask: Asks = async <A>(name: string, args?: Json) => (await program.call<A>(name, args))!;
      const answer = await work(ask);
      await program.end();
      return answer;
    },
    put(name: string, lines: readonly unknown[]): string {
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
      writeFileSync(join(folder, name), `${texts.join('\n')}\n`);
      return name;
    },
    linesOf: (name: string): readonly string[] => readFileSync(join(folder, name), 'utf8').trim().split('\n'),
    harm(statement: string): void {
      const db = new DatabaseSync(join(folder, 'home', 'fourfold.db'));
      db.exec(statement);
      db.close();
    },
  };
}
type Home = Awaited<ReturnType<typeof makeHome>>;

const clean = { differing: 0, missing: 0, misdirected_relationships: 0, wrong_totals: [] };
const countEntities = ({ asking }: Home): Promise<unknown> =>
  asking(async (ask) => (await ask('retrieve_entities'))['total']);

describe('fourfold truth import of payloads', () => {
  const other = payloadInput({ invoice_number: 'INV-2', vendor_name: 'Bolt' });
  const lines = [
    payloadInput(),
    'no JSON',
    '[1]',
    '',
    other,
    payloadInput({}, { capability_id: 'neotoma:store_nothing:v1' }),
    payloadInput({ amount: 1 }, {}, { extracted_at: 'yesterday' }),
    payloadInput({}, { surprise: true }),
    payloadInput({ date: ' 2025-01-15' }),
  ];

  it('imports valid lines and reports every other line with its number and reason', async () => {
    const home = await makeHome();
    const { files } = await home.done('truth', 'import', home.put('in.jsonl', lines));
    const [report] = files as readonly Json[];
    expect(report).toMatchObject({ lines: 8, created: 2, duplicates: 1, refused: 5 });
    const errors = report!['errors'] as readonly { line: number; code: string; message: string }[];
    expect(errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'VALIDATION_ERROR'],
      [3, 'VALIDATION_ERROR'],
      [6, 'UNKNOWN_CAPABILITY'],
      [7, 'VALIDATION_ERROR'],
      [8, 'VALIDATION_ERROR'],
    ]);
    for (const { message } of errors) expect(message).not.toBe('');
    // Two invoices, two vendors and their customer.
    expect(await countEntities(home)).toBe(5);
    const again = await home.done('truth', 'import', 'in.jsonl');
    expect((again['files'] as readonly Json[])[0]).toMatchObject({ created: 0, duplicates: 3, refused: 5 });
    expect(await home.done('truth', 'rebuild', '--check')).toMatchObject({ ...clean, entities: 5, observations: 9 });
  });

  it('writes nothing in a dry run', async () => {
    const home = await makeHome();
    const result = await home.done(
      'truth',
      'import',
      home.put('in.jsonl', [payloadInput(), 'no JSON', other]),
      '--dry-run',
    );
    expect(result).toMatchObject({
      dryRun: true,
      files: [{ lines: 3, created: 2, refused: 1, errors: [{ line: 2 }] }],
    });
    expect(await countEntities(home)).toBe(0);
  });

  it('a dry run rejects the same lines', async () => {
    const home = await makeHome();
    const rehearsed = await home.done('truth', 'import', home.put('in.jsonl', lines), '--dry-run');
    expect(rehearsed).toMatchObject({ dryRun: true, files: [{ lines: 8, created: 3, refused: 5 }] });
    const done = await home.done('truth', 'import', 'in.jsonl');
    const errorsOf = (result: Json) => (result['files'] as readonly Json[])[0]!['errors'];
    expect(errorsOf(rehearsed)).toEqual(errorsOf(done));
  });

  it('accepts a last line without a line break', async () => {
    const home = await makeHome();
    writeFileSync(join(home.folder, 'in.jsonl'), `${JSON.stringify(other)}\n${JSON.stringify(payloadInput())}`);
    expect(await home.done('truth', 'import', 'in.jsonl')).toMatchObject({ files: [{ lines: 2, created: 2 }] });
  });

  it.each(['nowhere.jsonl', '.'])('reports that %s is not a file', async (path) => {
    const home = await makeHome();
    const { code, value } = await home.run('truth', 'import', path);
    expect(code).not.toBe(0);
    expect(JSON.stringify(value)).toContain('FILES_UNAVAILABLE');
  });
});

/** Everything that an export contains: payloads, corrections, merges, edges, records, a capability and a schema. */
async function fill({ asking, done, put }: Home) {
  await done('register', 'capability', '--input', put('capability.json', [ticket]));
  await done('register', 'entity', 'schema', '--input', put('schema.json', [ticketSchema]));
  return asking(async (ask) => {
    const { entities } = await ask<Submitted>('submit_payload', payloadInput({ vendor_address: '1 Old Street' }));
    const more = await ask<Submitted>(
      'submit_payload',
      payloadInput({ invoice_number: 'I-2', vendor_name: 'Acme Labs' }),
    );
    await ask('submit_payload', payloadInput({ ...ticketBody }, { capability_id: ticket.capability_id }));
    const [invoice, vendor] = [entities[0]!.entity_id, entities[1]!.entity_id];
    await ask('correct_entity', { entity_id: vendor, fields: { address: '2 New Street' }, reason: 'they moved' });
    await ask('merge_entities', { source_entity_id: more.entities[1]!.entity_id, target_entity_id: vendor });
    const ends = { source_entity_id: invoice, target_entity_id: more.entities[0]!.entity_id };
    await ask('create_relationship', { relationship_type: 'SUPERSEDES', ...ends, metadata: { why: 'ü' } });
    await ask('store_record', { type: 'note', properties: { text: 'mangos' } });
    return { invoice, vendor };
  });
}

const ticket = {
  capability_id: 'acme:store_ticket:v1',
  primary_type: 'ticket',
  hash_fields: ['number', 'subject'],
  natural_key: [{ field: 'number' }],
  extract: [{ kind: 'field_value', field: 'customer_name', entity_type: 'company', prefix: 'customer_' }],
  source_priority: 200,
};
const ticketBody = { number: 'T-1', subject: 'It rains in', opened_date: '2025-02-01', customer_phone: '1' };
const ticketSchema = {
  entity_type: 'ticket',
  version: '1.1',
  fields: { number: { type: 'string', identifier: true }, subject: { type: 'string' }, opened_date: { type: 'date' } },
};

/** Without the export time and values derived from it. */
function portable(lines: readonly string[]): readonly string[] {
  const { at: _at, ...header } = JSON.parse(lines[0]!) as Json;
  const { sha256: _sum, ...trailer } = JSON.parse(lines.at(-1)!) as Json;
  return [JSON.stringify(header), ...lines.slice(1, -1), JSON.stringify(trailer)];
}

describe.each(engines)('fourfold truth export and import, to %s', (engine) => {
  it('transfers everything, and a second export has the same bytes', async () => {
    const [one, two] = [await makeHome(), await makeHome(engine)];
    const { vendor } = await fill(one);
    const { rows } = await one.done('truth', 'export', 'out.jsonl');
    const lines = one.linesOf('out.jsonl');
    expect(rows).toBe(lines.length - 2);
    expect(new Set(lines.slice(1, -1).map((line) => (JSON.parse(line) as { t: string }).t))).toEqual(
      new Set(
        [
          'capabilities',
          'schemas',
          'payloads',
          'submissions',
          'corrections',
          'records',
          'observations',
          'merges',
          'entities',
          'relationships',
          'relationship_statements',
        ].map((name) => `truth_${name}`),
      ),
    );
    const result = await two.done('truth', 'import', join(one.folder, 'out.jsonl'));
    expect(result).toMatchObject({ files: [{ rows, written: rows, rebuilt: { differing: 0 } }] });
    await two.done('truth', 'export', 'again.jsonl');
    expect(portable(two.linesOf('again.jsonl'))).toEqual(portable(lines));
    const shown = (home: Home) =>
      home.asking(async (ask) => ({
        snapshot: await ask('get_entity_snapshot', { entity_id: vendor }),
        provenance: await ask('get_field_provenance', { entity_id: vendor, field: 'address' }),
        timeline: await ask('list_timeline_events'),
        identified: await ask('get_entity_by_identifier', { identifier: 'acme labs' }),
        listed: await ask('retrieve_entities'),
        records: await ask('retrieve_records', { search: ['mangos'], search_mode: 'keyword' }),
        again: (await ask('submit_payload', payloadInput()))['created'],
      }));
    expect(await shown(two)).toEqual(await shown(one));
    expect(await two.done('truth', 'rebuild', '--check')).toMatchObject(clean);
    // Importing again changes nothing.
    const second = await two.done('truth', 'import', join(one.folder, 'out.jsonl'));
    expect(second).toMatchObject({ files: [{ rows, written: 0, rebuilt: clean }] });
  });
});

describe('fourfold truth export', () => {
  it('overwrites a file only with --force, and contains one tenant only', async () => {
    const home = await makeHome();
    await home.done('truth', 'import', home.put('in.jsonl', [payloadInput()]), '--tenant', 'them');
    await home.done('truth', 'import', home.put('mine.jsonl', [payloadInput({ vendor_name: 'Mine' })]));
    writeFileSync(join(home.folder, 'out.jsonl'), 'mine');
    const { code, text } = await home.run('truth', 'export', 'out.jsonl');
    expect([code !== 0, readFileSync(join(home.folder, 'out.jsonl'), 'utf8')]).toEqual([true, 'mine']);
    expect(text).toContain('out.jsonl');
    await home.done('truth', 'export', 'out.jsonl', '--force');
    await home.done('truth', 'export', 'theirs.jsonl', '--tenant', 'them');
    const [mine, theirs] = ['out.jsonl', 'theirs.jsonl'].map((name) => home.linesOf(name).join('\n'));
    expect([
      mine!.includes('Mine'),
      mine!.includes('Acme'),
      theirs!.includes('Acme'),
      theirs!.includes('Mine'),
    ]).toEqual([...[true, false], ...[true, false]]);
  });

  it('a tenant export contains truth, and the import rebuilds derived data', async () => {
    const [one, two] = [await makeHome(), await makeHome()];
    const { vendor } = await fill(one);
    await one.done('export', 'all.jsonl');
    const tables = new Set(one.linesOf('all.jsonl').map((line) => (JSON.parse(line) as { t?: string }).t));
    expect(tables).toContain('truth_observations');
    for (const name of ['identifiers', 'events', 'totals', 'match_keys']) expect(tables).not.toContain(`truth_${name}`);
    const file = join(one.folder, 'all.jsonl');
    const refused = await two.run('truth', 'import', file);
    expect([refused.code !== 0, refused.text.includes('fourfold import')]).toEqual([true, true]);
    expect(await countEntities(two)).toBe(0);
    await two.done('import', file);
    expect(await two.done('truth', 'rebuild', '--check')).toMatchObject(clean);
    const shown = (home: Home) =>
      home.asking(async (ask) => [
        await ask('get_entity_snapshot', { entity_id: vendor }),
        await ask('list_timeline_events'),
        await ask('get_entity_by_identifier', { identifier: 'INV-001' }),
      ]);
    expect(await shown(two)).toEqual(await shown(one));
  });
});

describe('capabilities and schemas on the command line', () => {
  it('registers a capability from a file and uses it for payloads', async () => {
    const home = await makeHome();
    const builtin = (await home.done('list', 'capabilities'))['total'] as number;
    const file = home.put('capability.json', [ticket]);
    expect(await home.done('register', 'capability', '--input', file)).toMatchObject({ created: true });
    expect(await home.done('register', 'capability', '--input', file)).toMatchObject({ created: false });
    const changed = home.put('changed.json', [{ ...ticket, source_priority: 1 }]);
    expect((await home.run('register', 'capability', '--input', changed)).text).toContain('CONFLICT');
    expect(await home.done('list', 'capabilities')).toMatchObject({ total: builtin + 1 });
    const { entities } = await home.asking((ask) =>
      ask<Submitted>('submit_payload', payloadInput({ ...ticketBody }, { capability_id: ticket.capability_id })),
    );
    expect(entities.map(({ entity_type, identity_rule }) => [entity_type, identity_rule])).toEqual([
      ['ticket', 'natural_key'],
      ['company', 'name'],
    ]);
    await home.done('remove', 'capability', ticket.capability_id);
    const envelopes = home.put('in.jsonl', [payloadInput({ number: 'T-2' }, { capability_id: ticket.capability_id })]);
    expect(await home.done('truth', 'import', envelopes)).toMatchObject({
      files: [{ created: 0, errors: [{ line: 1, code: 'UNKNOWN_CAPABILITY' }] }],
    });
    for (const bad of [home.put('bad.json', ['{']), home.put('odd.json', [{ ...ticket, extra: 1 }]), 'none.json']) {
      expect([bad, (await home.run('register', 'capability', '--input', bad)).code]).not.toEqual([bad, 0]);
    }
  });

  it('activates a schema and reads earlier observations with it', async () => {
    const home = await makeHome();
    await home.done('register', 'capability', '--input', home.put('capability.json', [ticket]));
    const entity_id = await home.asking(async (ask) => {
      const args = payloadInput({ ...ticketBody, colour: 'red' }, { capability_id: ticket.capability_id });
      return (await ask<Submitted>('submit_payload', args)).entities[0]!.entity_id;
    });
    const snapshot = () => home.asking((ask) => ask<Snapshot>('get_entity_snapshot', { entity_id }));
    expect(await snapshot()).toMatchObject({ schema_version: '1.0', snapshot: { number: 'T-1', colour: 'red' } });
    const file = home.put('schema.json', [ticketSchema]);
    expect(await home.done('register', 'entity', 'schema', '--input', file)).toMatchObject({ created: true });
    expect(await snapshot()).toMatchObject({ schema_version: '1.0' });
    expect(await home.done('activate', 'entity', 'schema', 'ticket', '1.1')).toMatchObject({ changed: true });
    const revived = await snapshot();
    const fields = { number: 'T-1', subject: 'It rains in', opened_date: '2025-02-01' };
    expect(revived).toMatchObject({ schema_version: '1.1', snapshot: { ...fields, colour: 'red' } });
    // An outdated state is not reported as wrong; missing derived rows are reported and written.
    expect((await home.run('truth', 'rebuild', '--check')).value).toMatchObject({ differing: 0, wrong_totals: [] });
    await home.done('truth', 'rebuild');
    expect(await home.done('truth', 'rebuild', '--check')).toMatchObject(clean);
    const { events } = await home.asking((ask) => ask('list_timeline_events', { event_type: 'ticket_opened_date' }));
    expect(events).toMatchObject([{ entity_id, value: '2025-02-01' }]);
    for (const bad of [['ticket'], ['ticket', '9.9'], ['', '1.1']]) {
      expect([bad, (await home.run('activate', 'entity', 'schema', ...bad)).code]).not.toEqual([bad, 0]);
    }
  });
});

describe('fourfold truth rebuild', () => {
  it.each([
    ['a state', `update truth_entities set state = '{}' where entity_type = 'invoice'`, { differing: 1 }],
    ['a lost event', 'delete from truth_events', { missing: 1 }],
    ['a total', `update truth_totals set count = 9 where kind = 'payloads'`, { wrong_totals: ['payloads'] }],
  ])(
    '--check exits with 1 when %s was damaged and changes nothing; without it everything is repaired',
    async (_what, damage, result) => {
      const home = await makeHome();
      await home.done('truth', 'import', home.put('in.jsonl', [payloadInput()]));
      expect(await home.done('truth', 'rebuild', '--check')).toMatchObject({ ...clean, entities: 3, observations: 3 });
      home.harm(damage);
      for (let i = 0; i < 2; i += 1) {
        const { code, value } = await home.run('truth', 'rebuild', '--check');
        expect([code, value]).toEqual([1, expect.objectContaining(result)]);
      }
      expect(await home.done('truth', 'rebuild')).toMatchObject(result);
      expect(await home.done('truth', 'rebuild', '--check')).toMatchObject({ ...clean, entities: 3, observations: 3 });
    },
  );
});

describe('--read-only', () => {
  it('rejects commands that write and allows all others', async () => {
    const home = await makeHome();
    await home.done('truth', 'import', home.put('in.jsonl', [payloadInput()]));
    home.put('more.jsonl', [payloadInput({ invoice_number: 'INV-2' })]);
    home.put('capability.json', [ticket]);
    home.put('schema.json', [ticketSchema]);
    for (const words of [
      ['truth', 'import', 'more.jsonl'],
      ['truth', 'rebuild'],
      ['register', 'capability', '--input', 'capability.json'],
      ['register', 'entity', 'schema', '--input', 'schema.json'],
    ]) {
      const { code, text } = await home.run(...words, '--read-only');
      expect([words, code !== 0, text.includes('READ_ONLY')]).toEqual([words, true, true]);
    }
    for (const words of [
      ['truth', 'import', 'more.jsonl', '--dry-run'],
      ['truth', 'rebuild', '--check'],
      ['list', 'capabilities'],
      ['list', 'entity', 'schemas'],
      ['truth', 'export', 'out.jsonl'],
    ]) {
      await home.done(...words, '--read-only');
    }
    expect(existsSync(join(home.folder, 'out.jsonl'))).toBe(true);
    expect(await countEntities(home)).toBe(3);
  });
});

/** All bytes below the folder that a search for the name would find. */
function filesWith(folder: string, name: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(name.toLowerCase()));
}

describe('a backup that was made before someone was forgotten', () => {
  it('[TR126] forgets texts and uploaded files again when it is restored', async () => {
    const home = await makeHome();
    const { folder, done } = home;
    const name = 'Wilhelmina Quartz';
    home.put('invoice.txt', [
      'INVOICE',
      'Invoice number: Q-1',
      'Date: 2025-03-04',
      'Vendor: Onyx Ltd',
      `Customer: ${name}`,
    ]);
    await done('upload', 'file', '--file-path', 'invoice.txt');
    await done('backup', 'backup');
    const { entities } = await done('get', 'entity', 'by', 'identifier', '--identifier', name);
    const [{ entity_id }] = entities as readonly [{ readonly entity_id: string }];
    const certain = ['--dry-run=false', '--include-mentions', '--confirm', name.toLowerCase()];
    await done('forget', 'entity', '--entity-id', entity_id, ...certain);
    expect(filesWith(join(folder, 'home'), name)).toEqual([]);
    expect(filesWith(join(folder, 'backup'), name)).not.toEqual([]);
    await done('restore', 'backup', '--force');
    // The next start forgets again.
    const found = await done('retrieve', 'entities', '--query', name);
    expect(found).toMatchObject({ total: 0 });
    expect(await done('retrieve', 'entities', '--query', 'Q-1')).toMatchObject({ total: 1 });
    expect(filesWith(join(folder, 'home'), name)).toEqual([]);
    expect(await done('audit', 'verify')).toMatchObject({ ok: true });
  });
});
