/**
 * Speaks MongoDB's wire protocol on a loopback port and passes every command to the DocumentDB extension of PostgreSQL.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { type Backend, runCommand } from './commands.ts';
import { createCursors } from './cursors.ts';
import { writeFault } from './errors.ts';
import { type Message, takeMessages, writeAnswer } from './wire.ts';

async function answer(message: Message, backend: Backend): Promise<Buffer> {
  try {
    return writeAnswer(message, await runCommand(message, backend));
  } catch (error) {
    return writeAnswer(message, writeFault(error));
  }
}

async function serve(socket: Socket, backend: Backend): Promise<void> {
  let rest = Buffer.alloc(0);
  // One at a time: a driver expects answers in the order of its requests.
  for await (const chunk of socket) {
    const taken = takeMessages(Buffer.concat([rest, chunk as Buffer]));
    rest = Buffer.from(taken.rest);
    for (const message of taken.messages) {
      const bytes = await answer(message, backend);
      if (!message.isOneWay) socket.write(bytes);
    }
  }
}

/** Returns the port. It stops with its process. */
export async function openGateway(postgresUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 40 });
  pool.on('error', () => {});
  const backend = { pool, cursors: createCursors(pool) };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    serve(socket, backend).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
