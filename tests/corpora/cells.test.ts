import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { checkJson } from '#domains/notebooks/validators/check-json.ts';
import { checkYaml } from '#domains/notebooks/validators/check-yaml.ts';
import { hasCorpora, listCorpus, readCorpus } from '../support/corpora.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

describe.skipIf(!hasCorpora)('a JSON cell', () => {
  const suite = 'JSONTestSuite/test_parsing';
  // A cell is text: what is no UTF-8 never comes so far.
  const texts = listCorpus(suite).flatMap((name) => {
    const text = toText(readCorpus(`${suite}/${name}`));
    return text === undefined ? [] : [{ name, text }];
  });
  const isTaken = (text: string): boolean => checkJson(text).errors.length === 0;

  it('is sound exactly where the suite says so', () => {
    const must = (first: string) => texts.filter(({ name }) => name.startsWith(first));
    expect(must('y').filter(({ text }) => !isTaken(text))).toEqual([]);
    expect(
      must('n')
        .filter(({ text }) => isTaken(text))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(must('y').length).toBeGreaterThan(80);
    expect(must('n').length).toBeGreaterThan(150);
  });
});

interface YamlCase {
  readonly yaml?: string;
  readonly fail?: boolean;
}

/** The suite shows blanks that one cannot see. */
const toSource = (shown: string): string =>
  shown
    .replaceAll('␣', ' ')
    .replace(/—*»/g, '\t')
    .replaceAll('←', '\r')
    .replaceAll('⇔', '\uFEFF')
    .replaceAll('↵', '')
    .replace(/∎\n$/, '');

describe.skipIf(!hasCorpora)('a YAML cell', () => {
  const cases = listCorpus('yaml-test-suite/src').flatMap((name) => {
    const [document] = parseAllDocuments(readCorpus(`yaml-test-suite/src/${name}`).toString());
    const list = document!.toJS() as readonly YamlCase[];
    // A case that leaves its text out takes that of the one before.
    let yaml = '';
    return list.map((test, index) => {
      yaml = test.yaml ?? yaml;
      return { name: `${name}/${index}`, text: toSource(yaml), fails: test.fail === true };
    });
  });
  const isTaken = ({ text }: { text: string }): boolean => checkYaml(text).errors.length === 0;

  it('is sound where the suite says so, but for what the package reads otherwise', () => {
    expect(cases.length).toBeGreaterThan(350);
    expect(cases.filter((test) => !test.fails && !isTaken(test)).map(({ name }) => name)).toEqual([
      // Two empty keys: the suite does not look at equal keys.
      '2JQS.yaml/0',
      // A directive of a later version, with more behind it than the package knows.
      'ZYU8.yaml/2',
    ]);
  });

  it('has errors where the suite says so, but for what the package lets pass', () => {
    expect(cases.filter((test) => test.fails && isTaken(test)).map(({ name }) => name)).toEqual([
      // A directive without a document, and one that stands twice.
      '9MMA.yaml/0',
      'SF5V.yaml/0',
    ]);
  });
});
