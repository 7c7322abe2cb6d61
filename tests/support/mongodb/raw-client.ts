/** A client without a driver: one connection, plain values. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Element, readElements, readValue, type Writable, writeDocument } from './bson.ts';
import { type Message, takeMessages, writeAnswer } from './wire.ts';

export type Plain =
  | string
  | number
  | bigint
  | boolean
  | undefined
  | readonly Plain[]
  | { readonly [name: string]: Plain };

const plainValue = (element: Element): Plain => {
  if (element.type === 0x04) return readElements(element.value).map(plainValue);
  return element.type === 0x03 ? toPlain(element.value) : readValue(element);
};

export const toPlain = (document: Buffer): { readonly [name: string]: Plain } =>
  Object.fromEntries(readElements(document).map((element) => [element.name, plainValue(element)]));

export interface RawClient {
  ask(command: Readonly<Record<string, Writable>>): Promise<{ readonly [name: string]: Plain }>;
  close(): void;
}

export async function openRawClient(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  let requestId = 0;
  return {
    async ask(command) {
      const question: Message = {
        requestId: ++requestId,
        isLegacy: false,
        isOneWay: false,
        command: Buffer.alloc(0),
        sequences: new Map(),
      };
      socket.write(writeAnswer(question, writeDocument(command)));
      let received = Buffer.alloc(0);
      for (;;) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        received = Buffer.concat([received, chunk]);
        const [message] = takeMessages(received).messages;
        if (message !== undefined) return toPlain(message.command);
      }
    },
    close: () => void socket.destroy(),
  };
}
