import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { validateJson } from '#domains/notebooks/validators/validate-json.ts';
import { validateYaml } from '#domains/notebooks/validators/validate-yaml.ts';
import { hasCorpora, listCorpus, readCorpus } from '../support/corpora.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function toText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

describe.skipIf(!hasCorpora)('JSON validation', () => {
  const suite = 'JSONTestSuite/test_parsing';
  // A cell is text, so invalid UTF-8 cannot occur.
  const texts = listCorpus(suite).flatMap((name) => {
    const text = toText(readCorpus(`${suite}/${name}`));
    return text === undefined ? [] : [{ name, text }];
  });
  const isTaken = (text: string): boolean => validateJson(text).errors.length === 0;

  it('agrees with JSONTestSuite', () => {
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

/** The suite makes whitespace visible. */
const toSource = (shown: string): string =>
  shown
    .replaceAll('␣', ' ')
    .replace(/—*»/g, '\t')
    .replaceAll('←', '\r')
    .replaceAll('⇔', '\uFEFF')
    .replaceAll('↵', '')
    .replace(/∎\n$/, '');

describe.skipIf(!hasCorpora)('YAML validation', () => {
  const cases = listCorpus('yaml-test-suite/src').flatMap((name) => {
    const [document] = parseAllDocuments(readCorpus(`yaml-test-suite/src/${name}`).toString());
    const list = document!.toJS() as readonly YamlCase[];
    // A case without a text uses that of the previous one.
    let yaml = '';
    return list.map((test, index) => {
      yaml = test.yaml ?? yaml;
      return { name: `${name}/${index}`, text: toSource(yaml), fails: test.fail === true };
    });
  });
  const isTaken = ({ text }: { text: string }): boolean => validateYaml(text).errors.length === 0;

  it('accepts the valid cases of yaml-test-suite, with known exceptions', () => {
    expect(cases.length).toBeGreaterThan(350);
    expect(cases.filter((test) => !test.fails && !isTaken(test)).map(({ name }) => name)).toEqual([
      // Two empty keys: the suite allows equal keys.
      '2JQS.yaml/0',
      // A directive of a later version with more parameters than the package knows.
      'ZYU8.yaml/2',
    ]);
  });

  it('rejects the invalid cases of yaml-test-suite, with known exceptions', () => {
    expect(cases.filter((test) => test.fails && isTaken(test)).map(({ name }) => name)).toEqual([
      // A directive without a document, and a repeated one.
      '9MMA.yaml/0',
      'SF5V.yaml/0',
    ]);
  });
});
