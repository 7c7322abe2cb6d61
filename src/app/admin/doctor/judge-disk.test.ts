import { describe, expect, test } from 'vitest';
import { diskLimits, judgeDisk } from './check-folder.ts';

describe('a disk', () => {
  const plenty = { type: 0xef53, freeBytes: 1e12, isInTemp: false };
  test.each([
    ['ok', {}],
    ['ok', { type: undefined }],
    ['fail', { type: 0x6969 }],
    ['fail', { type: 0xff534d42 }],
    ['fail', { type: 0xff534d42 | 0 }],
    ['warn', { type: 0x01021994 }],
    ['warn', { type: 0x794c7630 }],
    ['warn', { isInTemp: true }],
    ['warn', { freeBytes: diskLimits.freeWarnBytes - 1 }],
    ['ok', { freeBytes: diskLimits.freeWarnBytes }],
    ['fail', { freeBytes: diskLimits.freeFailBytes - 1 }],
    ['fail', { freeBytes: 0, type: 0x01021994 }],
  ] as const)('is %s with %o', (status, facts) => {
    const check = judgeDisk({ ...plenty, ...facts });
    expect(check.status).toBe(status);
    expect(check.fix === undefined).toBe(status === 'ok');
  });
});
