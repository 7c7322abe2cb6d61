import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type Run, runProgram, startProgram } from '#tests/support/program.ts';
import { type EngineName, type Json, openNotebooks } from '../notebooks/notebook-program.ts';
import { makeSharedStore, toTruthCaller } from '../truth/truth-program.fixture.ts';
import { awaitSync, type SyncRun } from './connector-program.fixture.ts';
import { brokenAnswers, type ServiceDouble } from './service-double.fixture.ts';

interface Entity {
  readonly snapshot: Readonly<Record<string, unknown>>;
}

export const stats = (added: number, updated = 0, errors = 0): SyncRun['stats'] => ({
  records_added: added,
  records_updated: updated,
  errors,
});

/** The arguments of a tool, as on the command line: `--max-pages 2`. */
const toArguments = (words: readonly string[]): Json =>
  Object.fromEntries(
    words.flatMap((word, at) => {
      const value = words[at + 1] ?? '';
      return word.startsWith('--')
        ? [[word.slice(2).replaceAll('-', '_'), /^\d+$/.test(value) ? Number(value) : value]]
        : [];
    }),
  );

/** A store, and the built program on it. Fails the test if one of its secrets shows up in an output or a file. */
export async function openConnected(engine: EngineName = 'SQLite', allow = '127.0.0.1') {
  const store = await makeSharedStore(engine);
  const { folder } = store;
  const outputs: string[] = [];
  const secrets = new Set<string>();
  const env = {
    ...store.env,
    FOURFOLD_LOG_LEVEL: 'debug',
    FOURFOLD_LOG_FILE: join(folder, 'home.log'),
    FOURFOLD_OUTBOUND_ALLOW: allow,
  };

  const stored = (): readonly string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.secret'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  let opened: ReturnType<typeof openNotebooks> | undefined;
  async function end(): Promise<void> {
    const program = await opened;
    opened = undefined;
    await program?.end();
    outputs.push(program?.said() ?? '');
  }
  onTestFinished(async () => {
    await end();
    const files = stored();
    await store.remove();
    for (const secret of secrets)
      if ([...outputs, ...files].some((text) => text.includes(secret)))
        throw new Error(`${secret} was shown or stored`);
  });

  async function run(...words: readonly string[]): Promise<Run> {
    const ran = await runProgram([...words, '--json'], env, '', folder);
    outputs.push(ran.stdout, ran.stderr);
    return ran;
  }
  async function ask<T>(...words: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await run(...words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  }

  /** All calls go to one program, which is started by the first of them: a start takes longer than most syncs. */
  async function call<T>(tool: string, args: Json = {}): Promise<T> {
    opened ??= openNotebooks(env);
    const answer = await toTruthCaller((await opened).client).call<T>(tool, args);
    outputs.push(JSON.stringify(answer));
    return answer;
  }

  /** Runs a sync to its end, whatever it is, through a real MCP client that asks for its state. */
  async function sync(provider: string, ...more: readonly string[]): Promise<SyncRun> {
    return awaitSync({ call }, await call<SyncRun>('sync_provider_imports', { provider, ...toArguments(more) }));
  }

  async function syncByCommand(provider: string, ...more: readonly string[]): Promise<SyncRun> {
    const { stdout, stderr } = await run('connectors', 'sync', provider, ...more);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as SyncRun;
  }

  return {
    folder,
    env,
    run,
    ask,
    call,
    /** Names secrets that must not be seen anywhere. */
    guard(...texts: readonly string[]) {
      for (const text of texts) secrets.add(text);
    },
    /** Adds to the outputs that are searched for them. */
    note: (output: string) => void outputs.push(output),
    /** Writes a file for `--secret-file`. */
    secretFile(text: string): string {
      const file = join(folder, 'token.secret');
      writeFileSync(file, `${text}\n`);
      return file;
    },
    sync,
    /** Ends a sync with kill -9 when `reached` resolves, and repeats it until it has run to its end. */
    async syncKilledAt(reached: Promise<void>, provider: string, ...more: readonly string[]): Promise<SyncRun> {
      // It would go on with the run by itself.
      await end();
      const child = startProgram(['connectors', 'sync', provider, ...more, '--json'], env);
      await reached;
      child.kill('SIGKILL');
      await once(child, 'exit');
      return vi.waitFor(
        async () => {
          const state = await syncByCommand(provider, ...more);
          if (state.status !== 'completed') throw new Error(`it is ${state.status}`);
          return state;
        },
        { timeout: 60_000, interval: 1_000 },
      );
    },
    /** Every broken answer ends a sync with its reason, and stores nothing. */
    async expectReasons(service: ServiceDouble, provider: string, answers = brokenAnswers): Promise<void> {
      for (const [name, why, answer] of answers) {
        service.answerNext(answer);
        const failed = await sync(provider);
        expect(failed, name).toMatchObject({ status: 'failed', stats: stats(0), error: { code: 'SYNC_FAILED' } });
        expect(failed.error?.message, name).toMatch(why);
      }
    },
    /** The fields of all items of one kind, by a field of theirs. */
    async items(kind: string, by: string): Promise<Readonly<Record<string, Entity['snapshot']>>> {
      const { entities } = await call<{ entities: readonly Entity[] }>('retrieve_entities', {
        entity_type: kind,
        limit: 100,
      });
      return Object.fromEntries(entities.map(({ snapshot }) => [String(snapshot[by]), snapshot]));
    },
  };
}
export type Connected = Awaited<ReturnType<typeof openConnected>>;
