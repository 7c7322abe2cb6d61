import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installOnce, run, writeTree } from './harness.ts';
import { type Sample, samplesIn, samplesOfBase } from './samples.ts';

/** As readers use it: v5 in strict TypeScript, v4 in CommonJS with type checks. */
const options = {
  v5: { strict: true, module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: ['node', 'mocha'] },
  v4: { strict: false, module: 'commonjs', moduleResolution: 'node10', lib: ['es2023', 'dom'], types: ['node'] },
} as const;

const config = (version: 'v4' | 'v5'): string =>
  JSON.stringify({
    compilerOptions: {
      ...options[version],
      target: 'es2022',
      moduleDetection: 'force',
      esModuleInterop: true,
      allowJs: true,
      checkJs: true,
      skipLibCheck: true,
      noEmit: true,
      ignoreDeprecations: '5.0',
    },
    include: ['samples'],
  });

const toPath = ({ location, language }: Sample): string => `samples/${location.replace(/[/:]/g, '_')}.${language}`;

/** Compiler errors of all samples, in one run. */
async function complaintsOf(samples: readonly Sample[], version: 'v4' | 'v5'): Promise<string> {
  const shared = await installOnce(version);
  const files = new Map(samples.map((sample) => [toPath(sample), sample.code]));
  files.set('tsconfig.json', config(version));
  files.set('package.json', JSON.stringify({ type: version === 'v5' ? 'module' : 'commonjs' }));
  const folder = writeTree({ files }, shared);
  try {
    await run(folder, [join(shared, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const samples = samplesOfBase();
const compiled = (version: 'v4' | 'v5') =>
  samples.filter((sample) => sample.version === version && sample.language !== 'json');

describe('code samples of the base', () => {
  test.each(['v5', 'v4'] as const)(
    'of %s compile against the released packages',
    { timeout: 300_000 },
    async (version) => {
      expect(compiled(version).length).toBeGreaterThan(20);
      expect(await complaintsOf(compiled(version), version)).toBe('');
    },
  );

  test('in JSON parse', () => {
    for (const { location, code } of samples.filter(({ language }) => language === 'json')) {
      expect(() => JSON.parse(code) as unknown, location).not.toThrow();
    }
  });

  test('include hidden lines, which apply only to the next fence', () => {
    const text = ['<!-- given', 'declare const a: number', '-->', '```ts', 'a.toFixed()', '```', '```js', 'b', '```'];
    expect(samplesIn('x.md', text.join('\n'))).toEqual([
      { location: 'x.md:1', version: 'v5', language: 'ts', code: 'declare const a: number\na.toFixed()' },
      { location: 'x.md:2', version: 'v5', language: 'js', code: 'b' },
    ]);
  });

  test('negative control: finds a wrong sample', { timeout: 300_000 }, async () => {
    const wrong = samplesIn(
      'wrong.md',
      "```ts\nimport { feathers } from '@feathersjs/feathers'\nfeathers().nothing()\n```",
    );
    expect(await complaintsOf(wrong, 'v5')).toContain("Property 'nothing' does not exist");
  });
});
