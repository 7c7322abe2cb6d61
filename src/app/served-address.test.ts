import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#kernel/log/log.ts';
import { homeNames } from './admin/home-layout.ts';
import { findServedAddress, noteServedAddress } from './served-address.ts';

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'fourfold-served-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return { home, file: join(home, homeNames.server) };
}

const [one, two] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];

test('finds the server that started last, until it ends', () => {
  const { home } = makeHome();
  expect(findServedAddress(home)).toBeUndefined();
  noteServedAddress(home, one, silentLog);
  const remove = noteServedAddress(home, two, silentLog);
  expect(findServedAddress(home)).toBe(two);
  remove();
  expect(findServedAddress(home)).toBeUndefined();
});

test.skipIf(process.platform !== 'linux')('ignores the note of a server that was killed (only Linux can tell)', () => {
  const { home, file } = makeHome();
  noteServedAddress(home, one, silentLog);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(`/${process.pid}/`, '/999999999/'));
  expect(findServedAddress(home)).toBeUndefined();
  writeFileSync(file, text);
  expect(findServedAddress(home)).toBe(one);
});

test('keeps the note of another server, and survives a broken one', () => {
  const { home, file } = makeHome();
  const remove = noteServedAddress(home, one, silentLog);
  writeFileSync(file, JSON.stringify({ url: two, process: 'another' }));
  remove();
  expect(findServedAddress(home)).toBe(two);
  for (const broken of ['', '{}', 'null', '{"url":"x","process":"y"}']) {
    writeFileSync(file, broken);
    expect(findServedAddress(home)).toBeUndefined();
  }
  expect(() => noteServedAddress(join(home, 'missing'), one, silentLog)()).not.toThrow();
});
