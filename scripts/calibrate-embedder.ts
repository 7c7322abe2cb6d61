// Prints the cosine that separates relevant from irrelevant texts for the shipped model. It belongs into
// src/kernel/embed/minilm/open-minilm.ts; a test compares the two.
import { calibrate } from '../src/kernel/embed/minilm/calibrate.fixture.ts';
import { openMiniLm } from '../src/kernel/embed/minilm/open-minilm.ts';

const embedder = await openMiniLm({ batchCount: 16 });
if (embedder === undefined) throw new Error('the package with the weights is not installed');
const { signal } = new AbortController();
const threshold = await calibrate((texts) => embedder.embed(texts, { signal, purpose: 'document' }));
process.stdout.write(`${embedder.id}: ${threshold}\n`);
await embedder.close();
