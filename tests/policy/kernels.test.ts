import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from './tree.ts';

interface Kernel {
  readonly source: string;
  readonly bytes: string;
  readonly name: string;
}

interface CompileModule {
  readonly kernels: readonly [Kernel, Kernel];
  compileKernel(kernel: Kernel): Promise<string>;
  readCompiled(kernel: Kernel): string;
}

const { kernels, compileKernel, readCompiled }: CompileModule = await import(
  pathToFileURL(join(root, 'scripts/compile-kernels.mjs')).href
);

test.each(kernels)('$bytes contains the compiled $source', async (kernel) => {
  expect(readCompiled(kernel)).toBe(await compileKernel(kernel));
});

test('negative control: finds the bytes of another source', async () => {
  const [network, scan] = kernels;
  expect(await compileKernel({ ...network, source: scan.source })).not.toBe(readCompiled(network));
});
