import { readdir } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';

/** Open files, where the system reports them (Linux). */
async function openFileCount(): Promise<number | undefined> {
  try {
    // Reading the folder opens one more.
    return (await readdir('/proc/self/fd')).length - 1;
  } catch {
    return undefined;
  }
}

/**
 * The usual process metrics under their usual names. prom-client's own collector starts observers that cannot be
 * stopped, one set per server; these are read on demand.
 */
export async function addProcessMetrics(registry: Registry): Promise<void> {
  const { Counter, Gauge } = await import('prom-client');
  const registers = [registry];
  let idleAt = performance.eventLoopUtilization();

  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process began, since the epoch.',
    registers,
  }).set(performance.timeOrigin / 1000);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors.',
    registers,
    async collect() {
      const count = await openFileCount();
      if (count !== undefined) this.set(count);
    },
  });
  new Gauge({
    name: 'nodejs_heap_size_bytes',
    help: 'The JavaScript heap.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { heapTotal, heapUsed, external } = process.memoryUsage();
      this.set({ kind: 'total' }, heapTotal);
      this.set({ kind: 'used' }, heapUsed);
      this.set({ kind: 'external' }, external);
    },
  });
  new Gauge({
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last scrape in which the event loop was busy.',
    registers,
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, idleAt).utilization);
      idleAt = now;
    },
  });
  new Gauge({
    name: 'nodejs_version_info',
    help: 'The Node that runs.',
    labelNames: ['version'],
    registers,
  }).set({ version: process.version }, 1);
}
