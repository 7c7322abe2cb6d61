import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeFolder, programFile } from '#tests/support/program.ts';

export type Json = Readonly<Record<string, unknown>>;

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface KnowledgeProgram {
  readonly client: Client;
  readonly home: string;
  readonly folder: string;
  /** The payload of a successful call; checks that the text is the same object. */
  call<T = Json>(name: string, args?: Json): Promise<T>;
  /** The single text line of a failed call. */
  fail(name: string, args?: Json): Promise<string>;
  close(): Promise<void>;
}

/** The built program with its own data folder, started in another folder, and a real client. */
export async function openKnowledge(env: Readonly<Record<string, string>> = {}): Promise<KnowledgeProgram> {
  const { folder, remove } = makeFolder();
  const home = join(folder, 'home');
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [programFile],
      cwd: folder,
      // The folder contains the data folder, so it is not readable by default.
      env: {
        FOURFOLD_HOME: home,
        FOURFOLD_FILE_ROOTS: folder,
        FOURFOLD_LOG_LEVEL: 'error',
        FOURFOLD_EMBEDDING_MODEL: 'debug',
        ...env,
      },
    }),
  );
  const ask = async (name: string, args: Json): Promise<ToolAnswer> =>
    (await client.callTool({ name, arguments: { ...args } })) as ToolAnswer;
  const textOf = ({ content }: ToolAnswer): string => {
    if (content.length !== 1 || content[0]?.type !== 'text') throw new Error('an answer is one text');
    return content[0].text ?? '';
  };
  return {
    client,
    home,
    folder,
    async call<T>(name: string, args: Json = {}) {
      const answer = await ask(name, args);
      const text = textOf(answer);
      if (answer.isError === true) throw new Error(`${name} failed: ${text}`);
      if (text !== JSON.stringify(answer.structuredContent)) throw new Error('text and structuredContent differ');
      return answer.structuredContent as T;
    },
    /** The documented line. The fix follows it in a text of its own. */
    async fail(name, args = {}) {
      const { isError, content } = await ask(name, args);
      const [error, fix, ...others] = content.map(({ text = '' }) => text);
      if (isError !== true) throw new Error(`${name} did not fail: ${error?.slice(0, 500)}`);
      if (fix?.startsWith('Fix: ') !== true || others.length > 0) throw new Error(`${name}: an error has one fix`);
      return error!;
    },
    async close() {
      await client.close();
      remove();
    },
  };
}
