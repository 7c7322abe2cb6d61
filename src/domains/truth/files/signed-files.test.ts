import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { toTenantId } from '#kernel/call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { startFiles } from '#surfaces/http/start-files.ts';
import { describeFiles } from './files.fixture.ts';
import { createSigner } from './files.ts';

const signer = createSigner(Buffer.from('the signing key of a test'));
const grant = { tenant: toTenantId('ada'), bucket: 'files', sha256: 'a'.repeat(64), expiresAtS: 1_800_000_000 };

test('[TR26] opens a token only with the key it was signed with', () => {
  const token = signer.sign(grant);
  expect(signer.open(token)).toEqual(grant);
  expect(createSigner(Buffer.from('another key')).open(token)).toBeUndefined();
  expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
});

test('[TR26] rejects a token with any change', () => {
  const token = signer.sign(grant);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=';
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...letters), fc.nat(2), (at, letter, how) => {
      const end = how === 0 ? at + 1 : how === 1 ? at : at + 2;
      const other = token.slice(0, at) + letter + token.slice(end);
      expect(signer.open(other) === undefined || other === token).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  for (const bad of ['', 'x', `${token}=`, ` ${token}`, `${token}A`, 'A'.repeat(100_000)])
    expect(signer.open(bad)).toBeUndefined();
});

describeFiles('signed URLs', (engine) => {
  const tokenOf = (url: string | undefined) => url!.slice(url!.lastIndexOf('/') + 1);

  async function openWithFile() {
    const fixture = await engine.open();
    const client = fixture.as(engine.newTenant());
    const { file_url } = await client.upload('my “note”.txt', 'what is in it');
    return { fixture, client, fileUrl: file_url! };
  }

  test('open the file until they expire, to the second', async () => {
    const { fixture, client, fileUrl } = await openWithFile();
    const result = await client.ask('get_file_url', { file_path: fileUrl, expires_in: 60 });
    expect(result).toEqual({
      signed_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/files\/[A-Za-z0-9_-]+$/),
      expires_at: new Date(engine.clock.now() + 60_000).toISOString(),
    });
    const token = tokenOf(result.signed_url);
    const opened = await fixture.files.signed.open(token);
    expect(opened).toMatchObject({ contentType: 'text/plain', fileName: 'my “note”.txt', bytes: 13 });
    expect(Buffer.concat(await opened!.stream.toArray()).toString()).toBe('what is in it');
    engine.clock.advance(59_999);
    (await fixture.files.signed.open(token))!.stream.destroy();
    engine.clock.advance(1);
    expect(await fixture.files.signed.open(token)).toBeUndefined();
  });

  test('accept a file_url or bucket and hash, and expire after an hour by default', async () => {
    const { client, fileUrl } = await openWithFile();
    const result = await client.ask('get_file_url', { file_path: fileUrl.replace('fourfold://', '') });
    expect(result.expires_at).toBe(new Date(engine.clock.now() + 3_600_000).toISOString());
    for (const expires_in of [0, 604_801, 1.5, -1]) {
      const refused = await client.ask('get_file_url', { file_path: fileUrl, expires_in });
      expect(refused.error?.code, String(expires_in)).toBe('VALIDATION_ERROR');
    }
    expect((await client.ask('get_file_url', { file_path: fileUrl, expires_in: 604_800 })).error).toBeUndefined();
  });

  test('are created only for files of the same tenant', async () => {
    const { fixture, client, fileUrl } = await openWithFile();
    const wrong = [
      '',
      '../../etc/passwd',
      'fourfold://files/abc',
      `files/${'0'.repeat(64)}`,
      `${fileUrl}/x`,
      fileUrl.toUpperCase(),
    ];
    for (const file_path of wrong.filter((path) => path !== '')) {
      expect((await client.ask('get_file_url', { file_path })).error?.code, file_path).toBe('FILE_NOT_FOUND');
    }
    const stranger = fixture.as(engine.newTenant());
    expect((await stranger.ask('get_file_url', { file_path: fileUrl })).error?.code).toBe('FILE_NOT_FOUND');
    // A token that was signed for a tenant without the file opens nothing either.
    const sha256 = fileUrl.slice(-64);
    const foreign = signer.sign({
      tenant: stranger.tenant,
      bucket: 'files',
      sha256,
      expiresAtS: engine.clock.now() / 1000 + 9,
    });
    expect(await fixture.files.signed.open(foreign)).toBeUndefined();
  });

  test('are not created without a file server', async () => {
    const server = { baseUrl: () => Promise.reject(new Error('no port')) };
    const fixture = await engine.open({ server });
    const { ask, upload } = fixture.as(engine.newTenant());
    const { file_url } = await upload('a.txt', 'a');
    expect((await ask('get_file_url', { file_path: file_url })).error?.code).toBe('SIGNING_FAILED');
  });

  test('serve the bytes to a real client, and never serve damaged bytes as a complete file', async () => {
    const { fixture, client, fileUrl } = await openWithFile();
    const server = await startFiles({ openSigned: (token) => fixture.files.signed.open(token), log: silentLog });
    onTestFinished(() => server.close());
    const token = tokenOf((await client.ask('get_file_url', { file_path: fileUrl })).signed_url);
    const answer = await fetch(`${server.url}/files/${token}`);
    expect([answer.status, await answer.text()]).toEqual([200, 'what is in it']);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect((await fetch(`${server.url}/files/${token.slice(0, -1)}`)).status).toBe(403);

    const blobs = join(fixture.home, 'blobs');
    const files = (await readdir(blobs, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const path = join(files[0]!.parentPath, files[0]!.name);
    await writeFile(path, 'what was in i');
    const damaged = await fetch(`${server.url}/files/${token}`)
      .then((answered) => answered.text())
      .catch(() => 'broke off');
    expect(damaged).toBe('broke off');
    await rm(path);
    expect((await fetch(`${server.url}/files/${token}`)).status).toBe(403);
    expect((await client.ask('get_file_url', { file_path: fileUrl })).error?.code).toBe('FILE_NOT_FOUND');
  });
});
