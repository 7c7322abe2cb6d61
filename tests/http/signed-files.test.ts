import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLogFixture } from '#kernel/log/log.ts';
import type { OpenSigned, SignedFile } from '#surfaces/http/signed-files.ts';
import { startFiles } from '#surfaces/http/start-files.ts';
import { openHttpFixture, openSocket } from './http-server.fixture.ts';

const text = 'what is in it';

const plant = (file: Partial<SignedFile> = {}): SignedFile => ({
  contentType: 'text/plain; charset=utf-8',
  fileName: 'a file.txt',
  bytes: text.length,
  stream: Readable.from([text]),
  ...file,
});

const openSigned: OpenSigned = async (token) => {
  if (token === 'broken') throw new Error('the disk is away at /secret/place');
  if (token === 'page') return plant({ contentType: 'text/html', fileName: "it's (1)*.html" });
  if (token === 'short') {
    return plant({
      stream: Readable.from(
        (function* () {
          yield text.slice(0, 4);
          throw new Error('torn');
        })(),
      ),
    });
  }
  return token === 'good' ? plant() : undefined;
};

/** The listener for signed files only. */
async function openFiles() {
  const log = createLogFixture();
  const server = await startFiles({ openSigned, log });
  onTestFinished(() => server.close());
  return { url: server.url, log };
}

/** The full server. */
async function openAll() {
  const { server, log } = await openHttpFixture({ openSigned });
  return { url: server.url, log };
}

describe.each([
  ['by the listener for files alone', openFiles],
  ['by the server', openAll],
])('a signed file, served %s', (_title, open) => {
  test('is served to the holder of its URL without a key, and is not cached', async () => {
    const { url } = await open();
    const answer = await fetch(`${url}/files/good`);
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(text.length),
      'content-disposition': "inline; filename*=UTF-8''a%20file.txt",
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    const head = await fetch(`${url}/files/good?x=1`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, `${text.length}`, '']);
  });

  test('is downloaded if a browser might execute it', async () => {
    const { url } = await open();
    const answer = await fetch(`${url}/files/page`);
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''it%27s%20%281%29%2A.html");
  });

  test('is rejected under another URL, without a reason', async () => {
    const { url } = await open();
    for (const path of ['bad', '', 'good/more', '%67ood']) {
      const answer = await fetch(`${url}/files/${path}`);
      expect([path, answer.status, await answer.text()]).toEqual([path, 403, '']);
    }
    const posted = await fetch(`${url}/files/good`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('reports that it cannot be read now, without a reason', async () => {
    const { url, log } = await open();
    const answer = await fetch(`${url}/files/broken`);
    expect([answer.status, await answer.text()]).toEqual([503, '']);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  test('is recognisably incomplete if it breaks off', async () => {
    const { url } = await open();
    await expect(fetch(`${url}/files/short`).then((answer) => answer.text())).rejects.toThrow(
      /terminated|aborted|fetch failed/,
    );
  });

  test('is not served to a page that rebinds its own name', async () => {
    const { url } = await open();
    const socket = await openSocket(Number(new URL(url).port));
    socket.write('GET /files/good HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const answer = Buffer.concat(chunks).toString();
    expect([answer.startsWith('HTTP/1.1 4'), answer.includes(text)]).toEqual([true, false]);
  });
});

test('serves nothing but files on the files listener', async () => {
  const { url } = await openFiles();
  for (const path of ['/', '/mcp', '/api/tools/health_check', '/files']) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
  }
});
