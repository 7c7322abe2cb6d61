// Writes the vectors of the topics, after a change of src/domains/instructions/rules/topics.json or of the model.
import { writeFileSync } from 'node:fs';
import { hashTopics, toTopicTexts } from '../src/domains/instructions/rules/near-topics.ts';
import { topics } from '../src/domains/instructions/rules/topics.ts';
import { openMiniLm } from '../src/kernel/embed/minilm/open-minilm.ts';

const embedder = await openMiniLm({ batchCount: 16 });
if (embedder === undefined) throw new Error('the package with the weights is not installed');
const { signal } = new AbortController();
const lines: string[] = [];
for (const topic of topics) {
  const parts = await embedder.embed(toTopicTexts(topic), { signal, purpose: 'document' });
  const sum = parts[0]!.map((_, i) => parts.reduce((total, part) => total + part[i]!, 0));
  const largest = sum.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
  const bytes = Int8Array.from(sum, (one) => Math.round((one / largest) * 127));
  lines.push(`    '${Buffer.from(bytes.buffer).toString('base64')}',`);
}
await embedder.close();
writeFileSync(
  new URL('../src/domains/instructions/rules/topic-vectors.ts', import.meta.url),
  `/** Generated from topics.json by scripts/embed-topics.ts: one vector of bytes per topic, in base64. */
export const topicVectors = {
  model: '${embedder.id}',
  hash: '${hashTopics(topics)}',
  vectors: [
${lines.join('\n')}
  ],
} as const;
`,
);
