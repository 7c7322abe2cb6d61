import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem, stemInflection } from './stem.ts';

/** The examples of Porter's paper, step by step, with the result of the whole algorithm. */
const pairs = `
  caresses caress; ponies poni; ties ti; caress caress; cats cat; feed feed; agreed agre; plastered plaster; bled bled;
  motoring motor; sing sing; conflated conflat; troubled troubl; sized size; hopping hop; tanned tan; falling fall;
  hissing hiss; fizzed fizz; failing fail; filing file; happy happi; sky sky; relational relat; conditional condit;
  rational ration; valenci valenc; hesitanci hesit; digitizer digit; conformabli conform; radicalli radic;
  differentli differ; vileli vile; analogousli analog; vietnamization vietnam; predication predic; operator oper;
  feudalism feudal; decisiveness decis; hopefulness hope; callousness callous; formaliti formal; sensitiviti sensit;
  sensibiliti sensibl; triplicate triplic; formative form; formalize formal; electriciti electr; electrical electr;
  hopeful hope; goodness good; revival reviv; allowance allow; inference infer; airliner airlin; gyroscopic gyroscop;
  adjustable adjust; defensible defens; irritant irrit; replacement replac; adjustment adjust; dependent depend;
  adoption adopt; homologou homolog; communism commun; activate activ; angulariti angular; homologous homolog;
  effective effect; bowdlerize bowdler; probate probat; rate rate; cease ceas; controll control; roll roll;
  generalizations gener; oscillators oscil; archaeology archaeolog; possibly possibl; yes ye; queuing queu; toying toi`;

const examples = pairs.split(';').map((pair) => pair.trim().split(' ') as [string, string]);

test.each(examples)('%s has the stem %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

test('maps the forms of a word to one stem', () => {
  const forms = ['connect', 'connected', 'connecting', 'connection', 'connections'];
  expect(new Set(forms.map(stem))).toEqual(new Set(['connect']));
});

test('keeps short words and words with other characters than a to z', () => {
  for (const word of ['', 'as', 'is', 'v5s', 'app.uses', 'user_ids', 'größen', '日本', 'sha256s'])
    expect(stem(word)).toBe(word);
});

test('a stem is never empty and never longer than its word', () => {
  const word = fc
    .array(fc.constantFrom(...'aeiouybcdlmnrstz'), { minLength: 1, maxLength: 20 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(word, (text) => {
      const found = stem(text);
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(text.length);
    }),
  );
});

test('joins the inflections of a word without its derivations', () => {
  const joined = (...words: readonly string[]) => new Set(words.map(stemInflection)).size === 1;
  expect(joined('deploy', 'deploys', 'deployed', 'deploying')).toBe(true);
  expect(joined('cache', 'caches', 'cached', 'caching')).toBe(true);
  expect(joined('policy', 'policies')).toBe(true);
  expect(joined('product', 'production')).toBe(false);
  expect(joined('receive', 'receiver')).toBe(false);
});
