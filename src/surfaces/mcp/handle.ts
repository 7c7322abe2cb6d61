import type { Server } from '@modelcontextprotocol/server';
import type { Ask } from '#kernel/tool/resource.ts';
import { anyParams, askAs, type Desk, type Params, toProtocolError } from './desk.ts';
import type { JsonObject } from './protocol.ts';

/** Registers a method whose Faults become errors of the protocol. */
export function handle(
  server: Server,
  desk: Desk,
  method: string,
  answer: (params: Params, ask: Ask) => Promise<JsonObject>,
): void {
  server.setRequestHandler(method, { params: anyParams }, async (params, ctx) => {
    try {
      return { ...(await answer(params, askAs(desk, ctx))) };
    } catch (error) {
      throw toProtocolError(desk, error);
    }
  });
}

export const withCursor = (nextCursor: string | undefined): JsonObject =>
  nextCursor === undefined ? {} : { nextCursor };
