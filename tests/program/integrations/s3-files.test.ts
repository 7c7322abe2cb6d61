import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { invoiceLines } from '#domains/truth/files/sample-files.fixture.ts';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { type S3Server, startS3 } from '#tests/support/s3/s3-server.ts';
import { openNotebooks } from '../notebooks/notebook-program.ts';
import { engines, openTruth, serveTruth, toTruthCaller } from '../truth/truth-program.fixture.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

interface Uploaded {
  readonly file_url: string;
  readonly record?: { readonly type: string; readonly properties: Readonly<Record<string, unknown>> };
}

let prefixesCount = 0;
/** Settings for a part of the bucket that no other test uses. */
function s3Env(more: Readonly<Record<string, string>> = {}) {
  prefixesCount += 1;
  return {
    FOURFOLD_S3_BUCKET: s3.bucket,
    FOURFOLD_S3_ENDPOINT: s3.endpoint,
    FOURFOLD_S3_ACCESS_KEY_ID: s3.accessKeyId,
    FOURFOLD_S3_SECRET_KEY: s3.secretKey,
    FOURFOLD_S3_PREFIX: `test-${prefixesCount}`,
    ...more,
  };
}
type S3Env = ReturnType<typeof s3Env>;

const filesBelow = (folder: string): readonly string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());

/** Hashes of the objects below the prefix of these settings. */
const objectsOf = ({ FOURFOLD_S3_PREFIX: prefix }: S3Env): readonly string[] =>
  filesBelow(s3.folder).flatMap(
    (path) => (path.includes(`/${prefix}/`) ? /([0-9a-f]{64})\._S3rver_object$/.exec(path)?.[1] : undefined) ?? [],
  );

const hashOf = (url: string): string => url.slice(-64);
const inline = (text: string, file_name = 'notes.txt') => ({
  content_base64: Buffer.from(text).toString('base64'),
  file_name,
});

function restoreAtEnd(): void {
  onTestFinished(() => {
    s3.before = () => undefined;
  });
}

describe.each(engines)('files on S3, with %s', (engine) => {
  it('[IG50] [IG52] uploads and analyses a file, and returns a URL of the service that serves it', async () => {
    const env = s3Env();
    const program = await openTruth(engine, env);
    onTestFinished(() => program.close());
    const text = invoiceLines.join('\n');
    const { file_url, record } = await program.call<Uploaded>('upload_file', inline(text, 'invoice.txt'));
    expect(record?.type).toBe('FinancialRecord');
    expect(objectsOf(env)).toEqual([hashOf(file_url)]);
    expect(filesBelow(join(program.home, 'blobs'))).toEqual([]);

    const before = Math.floor(Date.now() / 1000);
    const { signed_url, expires_at } = await program.call<{ signed_url: string; expires_at: string }>('get_file_url', {
      file_path: file_url,
      expires_in: 60,
    });
    expect(signed_url.startsWith(`${s3.endpoint}/${s3.bucket}/${env.FOURFOLD_S3_PREFIX}/`)).toBe(true);
    const parameters = new URL(signed_url).searchParams;
    expect(parameters.get('X-Amz-Expires')).toBe('60');
    expect(Date.parse(expires_at) / 1000 - before).toBeGreaterThanOrEqual(60);
    const answer = await fetch(signed_url);
    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(answer.headers.get('content-disposition')).toContain('invoice.txt');
    // The default of the document is an hour.
    const hour = await program.call<{ signed_url: string }>('get_file_url', { file_path: file_url });
    expect(new URL(hour.signed_url).searchParams.get('X-Amz-Expires')).toBe('3600');

    // The same bytes again: one object, one record.
    expect((await program.call<Uploaded>('upload_file', inline(text, 'copy.txt'))).file_url).toBe(file_url);
    expect(objectsOf(env)).toHaveLength(1);
    expect(await program.call('retrieve_records')).toMatchObject({ total: 1 });

    const written = [program.logged(), ...filesBelow(program.home).map((path) => readFileSync(path, 'latin1'))].join(
      '',
    );
    expect(written).not.toContain(s3.secretKey);
    expect(signed_url + JSON.stringify(hour)).not.toContain(s3.secretKey);
  });

  it('[IG51] changes nothing and says so while the service is down, and works again afterwards', async () => {
    const env = s3Env();
    const program = await openTruth(engine, env);
    onTestFinished(() => program.close());
    const { file_url } = await program.call<Uploaded>('upload_file', inline('kept before'));
    await s3.stop();
    try {
      const upload = await program.fail('upload_file', inline('not now'));
      const url = await program.fail('get_file_url', { file_path: file_url });
      for (const { code, message } of [upload, url]) {
        expect(code).toBe('SERVICE_UNAVAILABLE');
        expect(message).toContain('does not answer (ECONNREFUSED)');
      }
      expect(await program.call('retrieve_records')).toMatchObject({ total: 1 });
    } finally {
      await s3.start();
    }
    await program.call('upload_file', inline('not now'));
    expect(await program.call('retrieve_records')).toMatchObject({ total: 2 });
    await program.call('get_file_url', { file_path: file_url });
  });
});

describe('files on S3', () => {
  it('[IG51] explains a wrong secret at the first use and in the doctor, without showing it', async () => {
    const wrong = 'wrong-Secret-of-the-operator';
    const program = await openTruth('SQLite', s3Env({ FOURFOLD_S3_SECRET_KEY: wrong }));
    onTestFinished(() => program.close());
    const failure = await program.fail('upload_file', inline('never stored'));
    expect(failure).toMatchObject({ code: 'UPLOAD_FAILED' });
    expect(failure.message).toContain('SignatureDoesNotMatch): check s3SecretKey');
    expect(await program.call('retrieve_records')).toMatchObject({ total: 0 });
    const doctor = await runProgram(['doctor'], program.env);
    expect(doctor.code).not.toBe(0);
    expect(doctor.stdout + doctor.stderr).toContain('check s3SecretKey');
    const config = await runProgram(['config'], program.env);
    const said = [failure, doctor, config, program.logged()].map((part) => JSON.stringify(part)).join('');
    expect(said).not.toContain(wrong);
  });

  it('[IG51] explains a missing bucket and missing keys, and reads the secret from a file', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const env = { ...s3Env(), FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error' };
    const secretFile = join(folder, 'secret');
    writeFileSync(secretFile, `${s3.secretKey}\n`);
    const file = join(folder, 'note.txt');
    writeFileSync(file, 'a note');
    const { FOURFOLD_S3_SECRET_KEY: _secret, ...withoutSecret } = env;
    const upload = (settings: Readonly<Record<string, string>>) =>
      runProgram(['upload', 'file', file], { ...settings, FOURFOLD_FILE_ROOTS: folder });
    expect((await upload({ ...env, FOURFOLD_S3_BUCKET: 'no-such-bucket' })).stderr).toContain('check s3Bucket');
    expect((await upload(withoutSecret)).stderr).toContain('s3Bucket needs s3SecretKey or s3SecretKeyFile');
    const { code, stderr } = await upload({ ...withoutSecret, FOURFOLD_S3_SECRET_KEY_FILE: secretFile });
    expect([code, stderr]).toEqual([0, '']);
    const doctor = await runProgram(['doctor'], env);
    expect(doctor.stdout).toContain(`s3://${s3.bucket}/${env.FOURFOLD_S3_PREFIX} can be read`);
  });

  const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;
  it.each<readonly [string, number, string, string, string]>([
    ['a failure of the server', 500, xml('InternalError'), 'SERVICE_UNAVAILABLE', 'InternalError'],
    ['too many requests', 503, xml('SlowDown'), 'SERVICE_UNAVAILABLE', 'SlowDown'],
    ['HTTP 429', 429, '', 'SERVICE_UNAVAILABLE', 'does not answer'],
    ['a clock that is wrong', 403, xml('RequestTimeTooSkewed'), 'UPLOAD_FAILED', 'set the clock of this machine'],
    ['a revoked key', 403, xml('InvalidAccessKeyId'), 'UPLOAD_FAILED', 'check s3AccessKeyId'],
    ['a page of HTML', 200, '<html>Sign in</html>', 'UPLOAD_FAILED', 'check s3Endpoint'],
    ['a page of HTML as an error', 403, '<html>Sign in</html>', 'UPLOAD_FAILED', 'refused the request'],
    ['half an error', 500, '<Error><Code>Int', 'SERVICE_UNAVAILABLE', 'does not answer'],
    ['a redirect to a private address', 302, '', 'UPLOAD_FAILED', 'refused the request'],
  ])('[IG51] stores nothing after %s, and names the reason', async (_, status, body, code, text) => {
    restoreAtEnd();
    const env = s3Env();
    const program = await openTruth('SQLite', env);
    onTestFinished(() => program.close());
    s3.before = (request, response) => {
      request.resume();
      response.writeHead(status, status === 302 ? { location: 'http://169.254.169.254/' } : {}).end(body);
      return true;
    };
    const failure = await program.fail('upload_file', inline('never stored'));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(text) });
    expect(await program.call('retrieve_records')).toMatchObject({ total: 0 });
    s3.before = () => undefined;
    expect(objectsOf(env)).toEqual([]);
    await program.call('upload_file', inline('never stored'));
    expect(objectsOf(env)).toHaveLength(1);
  });

  it('[IG50] rejects a file over 50 MB before anything is sent', async () => {
    restoreAtEnd();
    const env = s3Env();
    const program = await openTruth('SQLite', env);
    onTestFinished(() => program.close());
    writeFileSync(join(program.files, 'large.txt'), Buffer.alloc(52_428_801, 'a'));
    let requestsCount = 0;
    s3.before = () => {
      requestsCount += 1;
      return undefined;
    };
    expect(await program.fail('upload_file', { file_path: 'large.txt' })).toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect([requestsCount, objectsOf(env), filesBelow(join(program.home, 'blobs'))]).toEqual([0, [], []]);
  });

  it('[IG50] shows a file to its own tenant only', async () => {
    const env = s3Env();
    const served = await serveTruth('SQLite', env);
    onTestFinished(() => served.stop());
    const [mine, yours] = [await served.makeKey('mine'), await served.makeKey('yours')];
    const { body } = await served.post(mine, 'upload_file', inline('for me'));
    const file_path = String(body['file_url']);
    const url = await served.post(mine, 'get_file_url', { file_path });
    expect((await fetch(String(url.body['signed_url']))).status).toBe(200);
    const { status, error } = await served.post(yours, 'get_file_url', { file_path });
    expect([status, error.code]).toEqual([404, 'FILE_NOT_FOUND']);
    // Equal bytes of two tenants are two objects, so that neither learns of the other.
    await served.post(yours, 'upload_file', inline('for me'));
    expect(objectsOf(env)).toEqual([hashOf(file_path), hashOf(file_path)]);
  });

  it('[IG50] knows nothing of a file whose upload was killed, and stores it when it is uploaded again', async () => {
    restoreAtEnd();
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const env = { ...s3Env(), FOURFOLD_HOME: join(folder, 'home') };
    const text = 'killed while it was sent '.repeat(10_000);
    const first = await openNotebooks(env);
    const reached = new Promise<void>((resolve) => {
      s3.before = ({ method }) => {
        if (method === 'PUT') resolve();
        // Never answered.
        return method === 'PUT';
      };
    });
    const upload = toTruthCaller(first.client).call('upload_file', inline(text));
    upload.catch(() => {});
    await reached;
    const exit = new Promise((resolve) => first.child.once('exit', resolve));
    first.child.kill('SIGKILL');
    await exit;
    await first.client.close();
    s3.before = () => undefined;

    const second = await openNotebooks(env);
    onTestFinished(async () => void (await second.end()));
    const caller = toTruthCaller(second.client);
    expect(await caller.call('retrieve_records')).toMatchObject({ total: 0 });
    expect(objectsOf(env)).toEqual([]);
    const { file_url } = await caller.call<Uploaded>('upload_file', inline(text));
    const { signed_url } = await caller.call<{ signed_url: string }>('get_file_url', { file_path: file_url });
    expect(await (await fetch(signed_url)).text()).toBe(text);
  });

  it('[IG53] serves older files from the folder, exports and imports all bytes, and a backup names what it lacks', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const home = { FOURFOLD_HOME: join(folder, 'home'), FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_FILE_ROOTS: folder };
    const env = { ...s3Env(), ...home };
    const run = async (words: readonly string[], settings: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await runProgram([...words, '--json'], settings, '', folder);
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
      return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    };
    writeFileSync(join(folder, 'old.txt'), 'from before');
    writeFileSync(join(folder, 'new.txt'), 'stored on S3');
    const old = String((await run(['upload', 'file', 'old.txt'], home))['file_url']);
    const fresh = String((await run(['upload', 'file', 'new.txt'], env))['file_url']);
    expect(objectsOf(env)).toEqual([hashOf(fresh)]);

    const program = await openNotebooks(env);
    const caller = toTruthCaller(program.client);
    const { signed_url } = await caller.call<{ signed_url: string }>('get_file_url', { file_path: old });
    expect(signed_url).toContain('/files/');
    expect(await (await fetch(signed_url)).text()).toBe('from before');
    await program.end();

    expect(await run(['backup', '--to', join(folder, 'backup')], env)).toMatchObject({
      notIncluded: expect.stringContaining(`uploaded files in s3://${s3.bucket}/${env.FOURFOLD_S3_PREFIX}`),
    });
    expect(await run(['backup', '--to', join(folder, 'backup-2')], home)).not.toHaveProperty('notIncluded');

    await run(['export', '--to', join(folder, 'all.jsonl')], env);
    // Into another data folder with another part of the bucket: everything is in the bucket then.
    const moved = { ...s3Env(), ...home, FOURFOLD_HOME: join(folder, 'other-home') };
    expect(await run(['import', join(folder, 'all.jsonl')], moved)).toMatchObject({ files: 2 });
    expect([...objectsOf(moved)].sort()).toEqual([hashOf(old), hashOf(fresh)].sort());
    expect((await runProgram(['doctor', '--deep'], moved)).stdout).not.toContain('without their bytes');

    const [damaged] = filesBelow(s3.folder).filter(
      (path) => path.includes(`/${moved.FOURFOLD_S3_PREFIX}/`) && path.includes(`${hashOf(old)}._S3rver_object`),
    );
    writeFileSync(damaged!, 'from beyond');
    const doctor = await runProgram(['doctor', '--deep'], moved);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`1 damaged in s3://${s3.bucket}`)]);
    await run(['import', join(folder, 'all.jsonl'), '--mode', 'skip'], moved);
    expect((await runProgram(['doctor', '--deep'], moved)).stdout).not.toContain('damaged');
  });
});
