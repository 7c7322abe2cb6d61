import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Speaks to the server byte by byte, as no HTTP client would. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Everything the server says until it closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset counts as the end too: what was said before it stands.
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** Sends the text and waits for the server to close the connection. */
export async function say(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  const answer = readToEnd(socket);
  socket.write(text);
  return answer;
}

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

export const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
