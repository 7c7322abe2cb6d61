import { openMeasured } from './tests/program/bombs/measured-program.ts';
const mod = await import(process.argv[2]!);
const bombs = Object.values(mod).find(Array.isArray) as any[];
const only = process.argv[3];
const p = await openMeasured({ FOURFOLD_LOG_LEVEL: 'error' });
await p.call('health_check', {});
await p.call('retrieve_records', {});
for (const bomb of bombs) {
  if (only && !bomb.name.includes(only)) continue;
  const t=performance.now();
  let peak = 0; const timer = setInterval(() => { peak = Math.max(peak, p.childrenMb()); }, 5);
  const r = await Promise.race([p.measure(() => bomb.send(p)), new Promise<any>((r) => setTimeout(() => r({ longestMs: -1, value: 'HANGS' }), 110_000))]);
  clearInterval(timer);
  console.log(String(Math.round(r.longestMs)).padStart(6), String(Math.round(performance.now()-t)).padStart(7), String(Math.round(peak)).padStart(5), bomb.name.padEnd(45), JSON.stringify(r.value).replaceAll('\\','').slice(38, 190));
  if (r.value === 'HANGS') break;
}
await p.close();
