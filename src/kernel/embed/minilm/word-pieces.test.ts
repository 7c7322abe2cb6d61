import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findModelFiles } from './open-minilm.ts';
import { createWordPieces, toWords } from './word-pieces.ts';

describe('words', () => {
  test.each([
    ['Hello, Wörld!', ['hello', ',', 'world', '!']],
    ["don't stop_now", ['don', "'", 't', 'stop', '_', 'now']],
    ['a+b=c', ['a', '+', 'b', '=', 'c']],
    ['日本語 text', ['日', '本', '語', 'text']],
    ['tab\there\u0000 zero\u200bwidth', ['tab', 'here', 'zerowidth']],
    ['5€ ÉCOLE', ['5€', 'ecole']],
    ['  \n ', []],
  ])('of %j', (text, words) => {
    expect(toWords(text)).toEqual(words);
  });
});

const small = createWordPieces(
  new Map(['un', '##aff', '##able', '##a', 'the', '.', '##b'].map((piece, number) => [piece, number] as const)),
);

describe('pieces', () => {
  test('cuts a word into the longest known pieces', () => {
    expect(small('unaffable the.', 20)).toEqual([101, 0, 1, 2, 4, 5, 102]);
  });

  test('a word that cannot be cut completely, or is far too long, is unknown', () => {
    expect(small('unaffx the', 20)).toEqual([101, 100, 4, 102]);
    expect(small(`un${'b'.repeat(99)} the`, 20)).toEqual([101, 100, 4, 102]);
    expect(small(`un${'b'.repeat(98)}`, 200)).toHaveLength(101);
  });

  test('gives at most as many pieces as allowed, with start and end markers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 64 }), (text, most) => {
        const pieces = small(text, most);
        expect(pieces.length).toBeLessThanOrEqual(most);
        expect([pieces[0], pieces.at(-1)]).toEqual([101, 102]);
        expect(small(text, most)).toEqual(pieces);
      }),
    );
  });
});

const files = await findModelFiles();

describe.skipIf(files === undefined)('with the vocabulary of the model', () => {
  test('gives the pieces that the model was trained with', () => {
    const { model } = JSON.parse(readFileSync(files!.tokenizer, 'utf8')) as {
      model: { vocab: Record<string, number> };
    };
    const pieces = createWordPieces(new Map(Object.entries(model.vocab)));
    const names = new Map(Object.entries(model.vocab).map(([piece, number]) => [number, piece]));
    const named = pieces('Embeddings of unaffordable naïve tokenization', 256).map((number) => names.get(number));
    expect(named).toEqual('[CLS] em ##bed ##ding ##s of una ##ff ##ord ##able naive token ##ization [SEP]'.split(' '));
  });
});
