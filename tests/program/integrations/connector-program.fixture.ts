import { onTestFinished } from 'vitest';
import { runProgram } from '#tests/support/program.ts';
import { makeSharedStore, type SharedStore, type TruthCaller } from '../truth/truth-program.fixture.ts';

export type EngineName = Parameters<typeof makeSharedStore>[0];

export interface SyncRun {
  readonly sync_run_id: string;
  readonly connector_id: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed';
  readonly stats: { readonly records_added: number; readonly records_updated: number; readonly errors: number };
  readonly pages: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly problems?: readonly { readonly id: string; readonly why: string }[];
}

export interface ConnectorStore extends SharedStore {
  /** A command that must succeed. */
  run<T>(...words: readonly string[]): Promise<T>;
  /** The error output of a command that must fail. */
  refuse(...words: readonly string[]): Promise<string>;
}

/** A store that is removed after the test, with the command line on it. */
export async function openConnectorStore(
  engine: EngineName,
  more: Readonly<Record<string, string>> = {},
): Promise<ConnectorStore> {
  const store = await makeSharedStore(engine, more);
  onTestFinished(() => store.remove());
  const start = (words: readonly string[]) => runProgram([...words, '--json'], store.env, '', store.folder);
  return {
    ...store,
    async run<T>(...words: readonly string[]): Promise<T> {
      const { code, stdout, stderr } = await start(words);
      if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as T;
    },
    async refuse(...words) {
      const { code, stdout, stderr } = await start(words);
      if (code === 0) throw new Error(`${words.join(' ')} did not fail: ${stdout}`);
      return stderr + stdout;
    },
  };
}

/** As an agent does it: asks for the state of the run until it is over. */
export async function awaitSync({ call }: Pick<TruthCaller, 'call'>, begun: SyncRun): Promise<SyncRun> {
  let run = begun;
  while (run.status === 'pending' || run.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    run = await call<SyncRun>('sync_provider_imports', { provider: 'any', sync_run_id: begun.sync_run_id });
  }
  return run;
}

export const countEntities = async ({ call }: Pick<TruthCaller, 'call'>, entity_type: string): Promise<number> =>
  (await call<{ total: number }>('retrieve_entities', { entity_type, limit: 1 })).total;
