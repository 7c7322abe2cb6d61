import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv, makeFolder, programFile } from '#tests/support/program.ts';

export type Json = Readonly<Record<string, unknown>>;

const probe = new URL('./loop-probe.mjs', import.meta.url);

/** What the calibration takes on the machine for which the limit of a turn was chosen. */
const referenceMs = 40;

interface Measured {
  readonly longestMs: number;
  readonly calibratedMs: number;
}

/** An answer of the program: a result, or an error of the protocol or the tool. */
export interface Answer {
  readonly result?: Json;
  readonly error?: Json;
}

export interface MeasuredProgram {
  /** The folder that it may read files from. */
  readonly files: string;
  putFile(name: string, bytes: string | Uint8Array): string;
  /** Sends a line and resolves with the answer to the message of this id. */
  sendLine(print: (id: number) => string | Buffer): Promise<Answer>;
  call(tool: string, args: Json): Promise<Answer>;
  /**
   * The longest turn of the event loop during the work, in ms of CPU time on the reference machine.
   */
  measure<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly longestMs: number }>;
  /** Holds the event loop, for the negative control. */
  hold(): Promise<void>;
  /** What the processes that it started use now; nothing if the system does not show it. */
  childrenUse(): ChildrenUse;
  said(): string;
  close(): Promise<void>;
}

const readProc = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process ended meanwhile, or the system has no such file.
    return '';
  }
};

export interface ChildrenUse {
  readonly mb: number;
  /** By process, since its start. */
  readonly cpuMs: ReadonlyMap<number, number>;
}

/** Linux counts CPU time in these. */
const ticksPerSecond = 100;

function childrenUse(pid: number): ChildrenUse {
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const children = tasks.flatMap((task) =>
    readProc(`/proc/${pid}/task/${task}/children`)
      .split(' ')
      .filter((one) => one !== '')
      .map(Number),
  );
  let mb = 0;
  const cpuMs = new Map<number, number>();
  for (const one of children) {
    mb += Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${one}/status`))?.[1] ?? 0) / 1024;
    // The fields after the name of the program, which may contain blanks.
    const fields = readProc(`/proc/${one}/stat`).split(') ')[1]?.split(' ') ?? [];
    cpuMs.set(one, ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 1000) / ticksPerSecond);
    const inner = childrenUse(one);
    mb += inner.mb;
    for (const [innerPid, ms] of inner.cpuMs) cpuMs.set(innerPid, ms);
  }
  return { mb, cpuMs };
}

export async function openMeasured(env: Readonly<Record<string, string>> = {}): Promise<MeasuredProgram> {
  const { folder, remove } = makeFolder();
  const files = join(folder, 'files');
  mkdirSync(files);
  const settings = {
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_FILE_ROOTS: files,
    FOURFOLD_LOG_LEVEL: 'error',
    FOURFOLD_RATE_LIMITS: 'false',
    SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug',
    FOURFOLD_MUTATION: 'true',
    ...env,
  };
  const child: ChildProcess = spawn(process.execPath, ['--import', probe.href, programFile], {
    env: { ...cleanEnv(), ...settings },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Answer & { readonly id?: number | null };
      if (message.id === undefined) continue;
      // A message that is too large or not JSON is answered without an id; only one message waits then.
      const id = message.id ?? [...waiting.keys()][0]!;
      waiting.get(id)?.(message);
      waiting.delete(id);
    }
  });
  child.stdin!.on('error', () => {});

  const send = (line: string | Buffer, id: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      void ended.then(() => reject(new Error(`the program ended: ${said.slice(-2_000)}`)));
      child.stdin!.write(line);
      child.stdin!.write('\n');
    });
  let lastId = 0;
  const sendLine: MeasuredProgram['sendLine'] = (print) => {
    lastId += 1;
    return send(print(lastId), lastId);
  };
  const ask = (method: string, params: Json): Promise<Answer> =>
    sendLine((id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  async function hear<T>(what: 'start' | 'stop' | 'hold'): Promise<T> {
    const heard = once(child, 'message');
    child.send(what);
    return (await heard)[0] as T;
  }

  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tester', version: '1' },
  });
  child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');

  return {
    files,
    putFile(name, bytes) {
      const path = join(files, name);
      writeFileSync(path, bytes);
      return path;
    },
    sendLine,
    call: (name, args) => ask('tools/call', { name, arguments: args }),
    async measure(work) {
      await hear('start');
      const value = await work();
      const { longestMs, calibratedMs } = await hear<Measured>('stop');
      return { value, longestMs: (longestMs * referenceMs) / calibratedMs };
    },
    hold: () => hear('hold'),
    childrenUse: () => childrenUse(child.pid!),
    said: () => said,
    async close() {
      child.stdin!.end();
      await ended;
      remove();
    },
  };
}
