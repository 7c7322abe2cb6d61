// runs calls with a sampling of long turns: uses inspector Profiler in-process via --import
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread && process.send) {
  const s = new Session(); s.connect();
  const post = (m, p) => new Promise((r, j) => s.post(m, p, (e, v) => e ? j(e) : r(v)));
  await post('Profiler.enable'); await post('Profiler.setSamplingInterval', { interval: 1000 });
  await post('Profiler.start');
  let last = performance.now(); const turns = [];
  const tick = () => { const now = performance.now(); if (now - last > 60) turns.push([last * 1000, now * 1000]); last = performance.now(); };
  setInterval(tick, 2).unref();
  process.on('message', async (m) => { if (m !== 'profile') return; const { profile } = await post('Profiler.stop'); writeFileSync('/tmp/turns.json', JSON.stringify({ profile, turns, origin: performance.timeOrigin })); process.send({ ok: 1 }); });
  process.channel?.unref();
}
