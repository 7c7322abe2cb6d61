import { callTool, initialize, initialized, listTools } from './messages.ts';
import { createPipeClient, sequentialRate } from './pipe-client.ts';
import { baselineFile, cpuMs, makeHome, probeFile, programFile, rssMb, start } from './processes.ts';
import type { Row } from './table.ts';

const measureMs = 3_000;
const warmMs = 1_000;
const rounds = 3;

/** Alternating rounds, the best of each, so that other load on the machine affects both sides. */
async function measureEra(era: 'legacy' | 'modern'): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const baseline = start(baselineFile('stdio-echo.mjs'));
  const program = start(probeFile, [], env);
  const baselineClient = createPipeClient(baseline.child);
  const client = createPipeClient(program.child);
  const line = callTool('probe_noop', {}, era);
  if (era === 'legacy') {
    await client.ask(initialize);
    program.child.stdin.write(`${initialized}\n`);
  }
  await sequentialRate(baselineClient, line, warmMs);
  await sequentialRate(client, line, warmMs);
  let baselineRate = 0;
  let rate = 0;
  let cpuUs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    baselineRate = Math.max(baselineRate, await sequentialRate(baselineClient, line, measureMs / rounds));
    const cpuBefore = cpuMs(program.child.pid ?? 0);
    const found = await sequentialRate(client, line, measureMs / rounds);
    cpuUs = Math.min(
      cpuUs,
      ((cpuMs(program.child.pid ?? 0) - cpuBefore) * 1000) / ((found * measureMs) / rounds / 1000),
    );
    rate = Math.max(rate, found);
  }
  await Promise.all([baseline.stop(), program.stop()]);
  remove();
  const ratio = rate / baselineRate;
  return [
    {
      what: `stdio no-op, ${era}`,
      value: rate,
      unit: 'calls/s',
      baseline: baselineRate,
      ratio,
      bar: '>= 0.60',
      isMet: ratio >= 0.6,
    },
    { what: `stdio no-op, ${era}, CPU of the server`, value: cpuUs, unit: 'µs/call' },
  ];
}

async function timeToList(
  env: Readonly<Record<string, string>>,
): Promise<{ ms: number; bytes: number; tools: number; rss: number }> {
  const startedAt = performance.now();
  const program = start(programFile, [], env);
  const client = createPipeClient(program.child);
  await client.ask(initialize);
  program.child.stdin.write(`${initialized}\n`);
  const answer = await client.ask(listTools(1));
  const ms = performance.now() - startedAt;
  const { result } = JSON.parse(answer) as { result: { tools: unknown[] } };
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const rss = rssMb(program.child.pid ?? 0);
  await program.stop();
  return { ms, bytes: Buffer.byteLength(JSON.stringify(result)), tools: result.tools.length, rss };
}

async function timeBareNode(): Promise<number> {
  const startedAt = performance.now();
  const { child } = start('-e', ['0']);
  await new Promise((resolve) => child.once('exit', resolve));
  return performance.now() - startedAt;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measureStart(): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const bare: number[] = [];
  const cold: { ms: number; bytes: number; tools: number; rss: number }[] = [];
  await timeToList(env);
  for (let round = 0; round < 7; round += 1) {
    bare.push(await timeBareNode());
    cold.push(await timeToList(env));
  }
  remove();
  const baseline = median(bare);
  const ms = median(cold.map((one) => one.ms));
  const { bytes = 0, tools = 0 } = cold[0] ?? {};
  const rss = median(cold.map((one) => one.rss));
  return [
    {
      what: 'start to tools/list',
      value: ms,
      unit: 'ms',
      baseline,
      ratio: ms / baseline,
      bar: '<= 4.50',
      isMet: ms / baseline <= 4.5,
    },
    { what: 'idle memory', value: rss, unit: 'MB', bar: '< 110', isMet: rss < 110 },
    { what: 'tools/list, default', value: bytes, unit: 'bytes', bar: '< 12288', isMet: bytes < 12_288 },
    { what: 'tools/list, default', value: tools, unit: 'tools', bar: '<= 20', isMet: tools <= 20 },
  ];
}

export const benchStdio = async (): Promise<readonly Row[]> => [
  ...(await measureEra('legacy')),
  ...(await measureEra('modern')),
  ...(await measureStart()),
];
