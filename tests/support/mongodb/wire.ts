/** The messages of MongoDB's wire protocol. */

export interface Message {
  readonly requestId: number;
  readonly isLegacy: boolean;
  /** The driver does not wait for an answer. */
  readonly isOneWay: boolean;
  readonly command: Buffer;
  /** The documents of a separate section (`documents`, `updates`, `deletes`), concatenated. */
  readonly sequences: ReadonlyMap<string, Buffer>;
}

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
const headerBytes = 16;
const maxMessageBytes = 48_000_000;

/** The complete messages received so far, and the rest. */
export function takeMessages(received: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (received.length - at >= headerBytes) {
    const size = received.readInt32LE(at);
    if (size < headerBytes || size > maxMessageBytes) throw new Error(`a message of ${size} bytes`);
    if (received.length - at < size) break;
    messages.push(readMessage(received.subarray(at, at + size)));
    at += size;
  }
  return { messages, rest: received.subarray(at) };
}

function readMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  if (opCode === opMsg) return { requestId, isLegacy: false, ...readSections(bytes) };
  if (opCode !== opQuery) throw new Error(`the operation ${opCode} is not known`);
  // flags, name of the collection, numbers to skip and to return, then the document
  const documentAt = bytes.indexOf(0, headerBytes + 4) + 9;
  const command = bytes.subarray(documentAt, documentAt + bytes.readInt32LE(documentAt));
  return { requestId, isLegacy: true, isOneWay: false, command, sequences: new Map() };
}

function readSections(bytes: Buffer): Pick<Message, 'command' | 'sequences' | 'isOneWay'> {
  const flags = bytes.readUInt32LE(headerBytes);
  const end = bytes.length - ((flags & 1) === 1 ? 4 : 0);
  const sequences = new Map<string, Buffer>();
  let command: Buffer | undefined;
  let at = headerBytes + 4;
  while (at < end) {
    const kind = bytes[at];
    const size = bytes.readInt32LE(at + 1);
    const section = bytes.subarray(at + 1, at + 1 + size);
    if (kind === 0) command = section;
    else {
      const nameEnd = section.indexOf(0, 4);
      sequences.set(section.toString('utf8', 4, nameEnd), section.subarray(nameEnd + 1));
    }
    at += 1 + size;
  }
  if (command === undefined) throw new Error('a message without a command');
  return { command, sequences, isOneWay: (flags & 2) === 2 };
}

let lastId = 0;

export function writeAnswer({ requestId, isLegacy }: Message, document: Buffer): Buffer {
  const head = Buffer.alloc(isLegacy ? headerBytes + 20 : headerBytes + 5);
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(++lastId, 4);
  head.writeInt32LE(requestId, 8);
  head.writeInt32LE(isLegacy ? opReply : opMsg, 12);
  // A legacy reply counts its document; a message has one section of kind 0 and no flags.
  if (isLegacy) head.writeInt32LE(1, headerBytes + 16);
  return Buffer.concat([head, document]);
}
