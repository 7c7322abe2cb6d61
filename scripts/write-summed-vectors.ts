import { writeFileSync } from 'node:fs';
import { openMiniLm } from '../src/kernel/embed/minilm/open-minilm.ts';

interface Target {
  /** Of the texts. */
  readonly source: string;
  readonly script: string;
  /** What has one vector. */
  readonly each: string;
  /** Of the constant. */
  readonly name: string;
  readonly file: string;
}

/** Writes a module with one vector per group: the sum of the vectors of its texts. */
export async function writeSummedVectors(
  groups: readonly (readonly string[])[],
  hash: string,
  { source, script, each, name, file }: Target,
): Promise<void> {
  const embedder = await openMiniLm({ batchCount: 16 });
  if (embedder === undefined) throw new Error('the package with the weights is not installed');
  const { signal } = new AbortController();
  const lines: string[] = [];
  for (const texts of groups) {
    const parts = await embedder.embed(texts, { signal, purpose: 'document' });
    const sum = parts[0]!.map((_, i) => parts.reduce((total, part) => total + part[i]!, 0));
    const largest = sum.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
    const bytes = Int8Array.from(sum, (one) => Math.round((one / largest) * 127));
    lines.push(`    '${Buffer.from(bytes.buffer).toString('base64')}',`);
  }
  await embedder.close();
  writeFileSync(
    new URL(file, import.meta.url),
    `/** Generated from ${source} by scripts/${script}: one vector of bytes per ${each}, in base64. */
export const ${name} = {
  model: '${embedder.id}',
  hash: '${hash}',
  vectors: [
${lines.join('\n')}
  ],
} as const;
`,
  );
}
