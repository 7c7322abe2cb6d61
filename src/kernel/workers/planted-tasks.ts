/** The worker entry of the tests: tasks that misbehave in every way a task can. */
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
      throw new Error('planted crash');
    });
    return new Promise(() => {});
  },
  refuse: async () => () => {
    throw new Error('planted refusal');
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
  /** Takes its time to load: longer than the wall time its job is given. */
  ponderous: async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return () => 'loaded';
  },
  unloadable: async () => {
    throw new Error('planted load failure');
  },
  /** Says that it runs, then waits to be killed: lets a test act in the middle of a job. */
  announce: async () => (signal: Int32Array) => {
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
    return new Promise(() => {});
  },
});
