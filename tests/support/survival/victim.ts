import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { startProgram } from '#tests/support/program.ts';
import { type Conversation, type Json, openConversation } from './conversation.ts';

/**
 * A program on its pipes, made to be killed. The client speaks the protocol by itself: one of the SDK would spend more on
 * compiling the schemas of the answers, for each program anew, than the program spends on its work.
 */
export interface Victim extends Pick<Conversation, 'said' | 'kill' | 'end'> {
  /** Undefined when the program ended before it answered; an error is thrown, with the last that it said on stderr. */
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
