import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readElements, type Writable, writeDocument } from './bson.ts';
import { chooseNeeded } from './packages.ts';
import { toPlain } from './raw-client.ts';
import { type Message, takeMessages, writeAnswer } from './wire.ts';

const name = fc.string({ maxLength: 8, unit: 'grapheme-ascii' }).filter((text) => !/[\0]|^__proto__$/.test(text));
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
  fc.integer(),
  fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.boolean(),
);
const { fields } = fc.letrec<{ value: Writable; fields: Record<string, Writable> }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('fields')),
  fields: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
}));

const question: Message = {
  requestId: 7,
  isLegacy: false,
  isOneWay: false,
  command: Buffer.alloc(0),
  sequences: new Map(),
};

describe('MongoDB wire protocol', () => {
  test('reads a document as written', () => {
    fc.assert(
      fc.property(fields, (document) => {
        expect(toPlain(writeDocument(document))).toEqual({ ...document });
      }),
    );
  });

  test('rejects a truncated document', () => {
    const whole = writeDocument({ name: 'a text', number: 1 });
    expect(() => readElements(whole.subarray(0, whole.length - 3))).toThrow('cut off');
  });

  test('finds messages in arbitrary chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fields, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 40 })),
        (documents, sizes) => {
          const sent = Buffer.concat(documents.map((document) => writeAnswer(question, writeDocument(document))));
          const got: Message[] = [];
          let rest = Buffer.alloc(0);
          for (let at = 0; at < sent.length; ) {
            const { value: size } = sizes.next() as { value: number };
            const taken = takeMessages(Buffer.concat([rest, sent.subarray(at, at + size)]));
            got.push(...taken.messages);
            rest = Buffer.from(taken.rest);
            at += size;
          }
          expect(got.map(({ command }) => toPlain(command))).toEqual(documents.map((document) => ({ ...document })));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('rejects other message types and messages that are too long', () => {
    const message = writeAnswer(question, writeDocument({}));
    message.writeInt32LE(2012, 12);
    expect(() => takeMessages(message)).toThrow('2012');
    message.writeInt32LE(2 ** 31 - 1, 0);
    expect(() => takeMessages(message)).toThrow('2147483647 bytes');
  });

  test('selects only the Debian packages that the server needs', () => {
    const printed = [
      'postgresql-18-documentdb',
      '  Depends: postgresql-18-postgis-3',
      '  Depends: <virtual-thing>',
      '  Depends: libbson2-2',
      'postgresql-18-postgis-3',
      '  Depends: libgdal39',
      ' |Depends: libgeos-c1t64',
      '  PreDepends: init-system-helpers',
      'libgdal39',
      '  Depends: libpoppler162',
      'libbson2-2',
      '  Depends: libc6',
    ];
    expect(chooseNeeded(printed.join('\n'), 'postgresql-18-documentdb')).toEqual([
      'postgresql-18-documentdb',
      'postgresql-18-postgis-3',
      'libbson2-2',
      'libgeos-c1t64',
      'libc6',
    ]);
  });
});
