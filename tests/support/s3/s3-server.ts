import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const processFile = fileURLToPath(new URL('s3-process.mjs', import.meta.url));

export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** The folder with the objects of the bucket. */
  readonly folder: string;
  /** The file of an object. */
  fileOf(key: string): string;
  /** Makes an object look as if it had been put at this time. */
  setTime(key: string, at: number): void;
  /** Called before a request reaches the server. It may answer itself; then it returns true. */
  before: (req: IncomingMessage, res: ServerResponse) => Promise<boolean | undefined> | boolean | undefined;
  /** The answers to new connections are refused until it is started again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A real S3 server on loopback, behind a proxy that can delay, change and refuse requests. */
export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'fourfold-s3-'));
  const [bucket, accessKeyId, secretKey] = ['uploads', 'AKIATESTKEYID', 'the-Secret/of+the-test-key'];
  const args = [directory, '0', bucket, accessKeyId, secretKey];
  const child = fork(processFile, args, { execArgv: ['--openssl-legacy-provider'], stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];

  const server: S3Server = {
    endpoint: '',
    ...{ bucket, accessKeyId, secretKey },
    folder: join(directory, bucket),
    fileOf: (key) => join(directory, bucket, `${key}._S3rver_object`),
    setTime: (key, at) => utimesSync(server.fileOf(key), new Date(at), new Date(at)),
    before: () => undefined,
    async stop() {
      const closed = once(proxy, 'close');
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
    async start() {
      proxy.listen(own, '127.0.0.1');
      await once(proxy, 'listening');
    },
    async close() {
      if (proxy.listening) await server.stop();
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };

  const proxy = createServer((req, res) => {
    res.on('error', () => {});
    req.on('error', () => {});
    void Promise.resolve(server.before(req, res)).then((isAnswered) => {
      if (isAnswered === true) return;
      const { method, url, headers } = req;
      const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      onward.on('error', () => res.destroy());
      req.on('aborted', () => onward.destroy());
      req.pipe(onward);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = (proxy.address() as AddressInfo).port;
  return Object.assign(server, { endpoint: `http://127.0.0.1:${own}` });
}
