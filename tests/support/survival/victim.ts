import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { startProgram } from '#tests/support/program.ts';
import { type Conversation, type Json, openConversation } from './conversation.ts';

/**
 * A program to be killed. Uses its own client: the SDK client would spend more time compiling answer schemas for each
 * program than the program spends on its work.
 */
export interface Victim extends Pick<Conversation, 'said' | 'kill' | 'end'> {
  /** Undefined if the program ended before it answered; throws an error with its last stderr output. */
  call<T = Json>(name: string, args?: Json): Promise<T | undefined>;
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
}

export const startVictim = (env: Readonly<Record<string, string>>): Promise<Victim> => converse(startProgram([], env));

export async function converse(child: ChildProcessWithoutNullStreams): Promise<Victim> {
  const { request, notify, said, kill, end } = openConversation(child);
  const clientInfo = { name: 'tester', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  notify('notifications/initialized');

  return {
    async call<T>(name: string, args: Json = {}): Promise<T | undefined> {
      const message = await request<ToolAnswer>('tools/call', { name, arguments: args });
      if (message === undefined) return undefined;
      const { result, error } = message;
      if (result?.structuredContent === undefined || result.isError === true) {
        throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}\n${said()}`);
      }
      return result.structuredContent as T;
    },
    said,
    kill,
    end,
  };
}
