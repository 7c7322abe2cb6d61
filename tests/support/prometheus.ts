import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findDebianPackage } from './debian-packages.ts';

export const prometheusPackage = await findDebianPackage('prometheus', ['prometheus', 'promtool']);

export interface PrometheusOptions {
  /** An existing folder for its files. */
  readonly folder: string;
  /** OpenMetrics text with timestamps. */
  readonly history?: string;
  /** The text of its configuration file. */
  readonly config?: string;
}

export interface TestPrometheus {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real Prometheus on loopback. */
export async function startPrometheus({ folder, history, config = '' }: PrometheusOptions): Promise<TestPrometheus> {
  const { programs, reason } = prometheusPackage;
  if (programs === undefined) throw new Error(reason);
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  if (history !== undefined) {
    const file = join(folder, 'history.txt');
    writeFileSync(file, history);
    await promisify(execFile)(programs.promtool, ['tsdb', 'create-blocks-from', 'openmetrics', file, data]);
  }
  const configFile = join(folder, 'prometheus.yml');
  writeFileSync(configFile, config);
  const child = spawn(
    programs.prometheus,
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${data}`,
      '--web.listen-address=127.0.0.1:0',
      // The history may be of any year.
      '--storage.tsdb.retention.time=100y',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  let [port, printed] = ['', ''];
  for await (const line of createInterface({ input: child.stderr })) {
    printed += `${line}\n`;
    port = /TLS is disabled.*address=127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? port;
    if (line.includes('Server is ready')) break;
  }
  if (port === '') throw new Error(`Prometheus did not start: ${printed}`);
  // A full pipe would block it.
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
