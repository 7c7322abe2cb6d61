import { callTool, initialize, initialized } from './messages.ts';
import { createPipeClient } from './pipe-client.ts';
import { makeHome, probeFile, runProgram, start } from './processes.ts';
import type { Row } from './table.ts';

const processCount = 8;
const writesEach = 250;

/**
 * Several programs write to one data folder in parallel; a no-op during the writes shows whether an event loop blocks.
 */
export async function benchManyProcesses(): Promise<readonly Row[]> {
  const { env, remove } = makeHome();
  await runProgram(['doctor', '--json'], env).catch(() => '');
  let stallMs = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: processCount }, async (_, which) => {
      const program = start(probeFile, [], env);
      const client = createPipeClient(program.child);
      await client.ask(initialize);
      program.child.stdin.write(`${initialized}\n`);
      // Loads the code and opens the file first; only the traffic after that is measured.
      await client.ask(callTool('probe_get', { id: 'none' }, 'legacy')(1));
      await client.ask(callTool('probe_stalls', {}, 'legacy')(1));
      for (let i = 0; i < writesEach; i += 1) {
        const text = await client.ask(callTool('probe_put', { id: `p${which}-${i}`, text: 'x' }, 'legacy')(i + 2));
        if (text.includes('"isError":true')) throw new Error(text);
      }
      const metrics = await client.ask(callTool('probe_stalls', {}, 'legacy')(writesEach + 2));
      const { result } = JSON.parse(metrics) as { result: { structuredContent: { maxMs: number } } };
      stallMs = Math.max(stallMs, result.structuredContent.maxMs);
      await program.stop();
    }),
  );
  const tookS = (performance.now() - startedAt) / 1000;
  const verdict = JSON.parse(await runProgram(['audit', 'verify', '--json'], env)) as { ok: boolean; headSeq: number };
  remove();
  const wanted = processCount * writesEach;
  return [
    {
      what: `${processCount} processes × ${writesEach} writes, kept`,
      value: verdict.headSeq,
      unit: 'rows',
      bar: `== ${wanted}`,
      isMet: verdict.ok && verdict.headSeq === wanted,
    },
    { what: 'all of them', value: wanted / tookS, unit: 'writes/s' },
    { what: 'longest event-loop stall', value: stallMs, unit: 'ms', bar: '< 50', isMet: stallMs < 50 },
  ];
}
