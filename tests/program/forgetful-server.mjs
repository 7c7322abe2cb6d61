// The negative control of the kill rounds: acknowledges a write immediately and keeps it a little later.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const file = process.env.FORGETFUL_FILE;
const kept = new Map(
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [line, line])
    : [],
);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'probe/put') setTimeout(() => appendFileSync(file, `${params.id}\n`), 20);
  const result = method === 'probe/put' ? { id: params.id } : { id: params.id, text: kept.get(params.id) ?? null };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
