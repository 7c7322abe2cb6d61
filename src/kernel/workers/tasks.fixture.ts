/** The worker entry of the tests: tasks that misbehave in every possible way. */
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { serveTasks } from './serve-tasks.ts';

serveTasks({
  echo: async () => (value: unknown) => value,
  spin: async () => () => {
    for (;;);
  },
  hoard: async () => () => {
    const hoard: number[][] = [];
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => i));
  },
  leave: async () => () => process.exit(3),
  crash: async () => () => {
    setImmediate(() => {
      throw new Error('intended crash');
    });
    return new Promise(() => {});
  },
  refuse: async () => () => {
    throw new Error('intended failure');
  },
  uncloneable: async () => () => () => {},
  recurse: async () => () => {
    const deeper = (depth: number): number => 1 + deeper(depth + 1);
    return deeper(0);
  },
  print: async () => (text: string) => {
    process.stdout.write(text);
    return text;
  },
  environment: async () => () => ({ names: Object.keys(process.env), flags: process.execArgv }),
  /** Takes longer to load than the time limit of its job. */
  ponderous: async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return () => 'loaded';
  },
  unloadable: async () => {
    throw new Error('intended load failure');
  },
  /** Takes memory outside the heap. */
  swell: async () => () => {
    const hoard: Uint8Array[] = [];
    for (;;) hoard.push(new Uint8Array(8 * 1024 * 1024).fill(1));
  },
  /** Takes much memory once and returns. */
  swellOnce: async () => (bytes: number) => {
    swollen = new Uint8Array(bytes).fill(1);
    return { pid: process.pid, bytes: swollen.length };
  },
  /** Uses CPU time, in ms. */
  spend: async () => (ms: number) => {
    const { user, system } = process.cpuUsage();
    const usedMs = () => (process.cpuUsage().user + process.cpuUsage().system - user - system) / 1000;
    while (usedMs() < ms);
    return 'spent';
  },
  abort: async () => () => process.abort(),
  pid: async () => () => process.pid,
  /** Ends when its priority was lowered. */
  linger: async () => async () => {
    const before = getPriority();
    while (getPriority() === before) await new Promise((resolve) => setTimeout(resolve, 10));
    return { before, after: getPriority(), pid: process.pid };
  },
  /** Reports its process id on this socket, then waits to be killed. */
  announce: async () => async (path: string) => {
    await announce(path);
    return new Promise(() => {});
  },
  /** The same, but blocks its thread. */
  announceAndSpin: async () => async (path: string) => {
    await announce(path);
    for (;;);
  },
});

let swollen: Uint8Array | undefined;

const announce = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.on('error', reject);
    socket.write(`${process.pid}\n`, () => resolve());
  });
