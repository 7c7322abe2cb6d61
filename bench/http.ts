import { type LoadResult, runLoad } from './http-load.ts';
import { callTool, modernHeaders } from './messages.ts';
import { baselineFile, cpuMs, firstLine, makeHome, probeFile, rssMb, runProgram, start } from './processes.ts';
import type { Row } from './table.ts';

const measureMs = 4_000;

async function startServer(
  env: Readonly<Record<string, string>>,
): Promise<{ port: number; key: string; pid: number; stop(): Promise<void> }> {
  const { key } = JSON.parse(await runProgram(['keys', 'create', '--name', 'bench', '--json'], env)) as { key: string };
  const server = start(probeFile, ['serve', '--port', '0'], env);
  const text = await firstLine(server.child);
  const port = Number(/:(\d{2,5})/.exec(text)?.[1]);
  return { port, key, pid: server.child.pid ?? 0, stop: () => server.stop() };
}

const rate = (what: string, { perSecond }: LoadResult, bar: number): Row => ({
  what: `${what}, 50 clients`,
  value: perSecond,
  unit: 'calls/s',
  bar: `> ${bar}`,
  isMet: perSecond > bar,
});

const serviceLevels = (what: string, found: LoadResult, bars: readonly [number, number, number]): readonly Row[] => [
  { what: `${what}, p50`, value: found.p50Ms, unit: 'ms', bar: `< ${bars[0]}`, isMet: found.p50Ms < bars[0] },
  { what: `${what}, p95`, value: found.p95Ms, unit: 'ms', bar: `< ${bars[1]}`, isMet: found.p95Ms < bars[1] },
  { what: `${what}, p99`, value: found.p99Ms, unit: 'ms', bar: `< ${bars[2]}`, isMet: found.p99Ms < bars[2] },
];

/** Compares the no-op with a key to raw node:http, then durable writes to reads. */
export async function benchHttp(): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  const baseline = start(baselineFile('http-echo.mjs'));
  const baselinePort = Number(await firstLine(baseline.child));
  const server = await startServer(env);
  const headers = { authorization: `Bearer ${server.key}` };
  const at = (tool: string, args: (id: number) => object, connections: number) => ({
    port: server.port,
    path: '/mcp',
    headers: { ...headers, ...modernHeaders(tool) },
    connections,
    ms: measureMs,
    body: (id: number) => callTool(tool, args(id), 'modern')(id),
  });
  const noop = at('probe_noop', () => ({}), 16);
  const baselineLoad = { ...noop, port: baselinePort };
  await runLoad({ ...baselineLoad, ms: 1_000 });
  await runLoad({ ...noop, ms: 2_000 });
  const baselineFound = await runLoad(baselineLoad);
  const cpuBefore = cpuMs(server.pid);
  const found = await runLoad(noop);
  const cpuUs = ((cpuMs(server.pid) - cpuBefore) * 1000) / found.count;
  const writes = await runLoad(at('probe_put', (id) => ({ id: `k${id}`, text: `text ${id}` }), 50));
  const reads = await runLoad(at('probe_get', (id) => ({ id: `k${id % 1000}` }), 50));
  const bulk = await runLoad(at('probe_fill', () => ({ count: 1_000 }), 2));
  const rss = rssMb(server.pid);
  await Promise.all([baseline.stop(), server.stop()]);
  remove();
  const failedCount = [found, writes, reads, bulk].reduce((sum, one) => sum + one.failedCount, 0);
  const ratio = found.perSecond / baselineFound.perSecond;
  const writeRatio = writes.perSecond / reads.perSecond;
  return [
    {
      what: 'http no-op with a key, 16 connections',
      value: found.perSecond,
      unit: 'calls/s',
      baseline: baselineFound.perSecond,
      ratio,
      bar: '>= 0.45',
      isMet: ratio >= 0.45,
    },
    { what: 'http no-op, CPU of the server', value: cpuUs, unit: 'µs/call' },
    {
      what: 'durable writes compared with reads, 50 clients',
      value: writes.perSecond,
      unit: 'calls/s',
      baseline: reads.perSecond,
      ratio: writeRatio,
      bar: '>= 0.30',
      isMet: writeRatio >= 0.3,
    },
    { what: 'failed calls', value: failedCount, unit: '', bar: '== 0', isMet: failedCount === 0 },
    rate('read', reads, 1_000),
    ...serviceLevels('read', reads, [50, 120, 300]),
    rate('write', writes, 100),
    ...serviceLevels('write', writes, [100, 250, 500]),
    ...serviceLevels('bulk write of 1,000 rows', bulk, [500, 2_000, 5_000]),
    { what: 'memory after the load', value: rss, unit: 'MB', bar: '< 512', isMet: rss < 512 },
  ];
}
