/**
 * Loaded into the program before its own code. Measures the CPU time of the main thread per turn of the event loop, which,
 * unlike the wall time, does not grow when other programs use the machine. The test asks for it over the IPC channel.
 */
import { isMainThread } from 'node:worker_threads';

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The same work on every machine: shows how fast this one is. */
function calibrate() {
  const text = JSON.stringify(
    Array.from({ length: 2_000 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ['a', 'b'] })),
  );
  const from = cpuMs();
  for (let i = 0; i < 10; i += 1) JSON.stringify(JSON.parse(text)).split('"').sort();
  return cpuMs() - from;
}

if (isMainThread && process.send !== undefined) {
  // The first runs are slower, until the code is compiled.
  for (let i = 0; i < 5; i += 1) calibrate();
  let longestMs = 0;
  let lastMs = 0;
  let timer;
  // A turn longer than this is followed by the timer, so that it is measured alone.
  const everyMs = 2;
  const heldMs = 2_000;
  const tick = () => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
  };
  process.on('message', (what) => {
    if (what === 'start') {
      longestMs = 0;
      lastMs = cpuMs();
      timer = setInterval(tick, everyMs);
      process.send({});
    } else if (what === 'stop') {
      tick();
      clearInterval(timer);
      process.send({ longestMs, calibratedMs: calibrate() });
    } else if (what === 'hold') {
      // For the negative control: as if the program had worked that long without a pause.
      const until = cpuMs() + heldMs;
      while (cpuMs() < until);
      process.send({});
    }
  });
  process.channel?.unref();
}
