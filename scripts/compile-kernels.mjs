// Compiles the AssemblyScript kernels into files with their bytes: `node scripts/compile-kernels.mjs`. Not TypeScript,
// because the compiler's types would redefine `Array` for the whole program.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

export const kernels = [
  {
    source: 'src/kernel/embed/minilm/network.as',
    bytes: 'src/kernel/embed/minilm/network-bytes.ts',
    name: 'networkBytes',
  },
  {
    source: 'src/kernel/search/semantic/vectors/scan.as',
    bytes: 'src/kernel/search/semantic/vectors/scan-bytes.ts',
    name: 'scanBytes',
  },
];

const urlOf = (file) => new URL(`../${file}`, import.meta.url);

/** The same source and compiler give the same text. */
export async function compileKernel({ source, name }) {
  const entry = 'kernel.ts';
  const text = readFileSync(urlOf(source), 'utf8');
  let bytes;
  const { error } = await main(
    [entry, '--outFile', 'kernel.wasm', '-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--enable', 'simd'],
    {
      readFile: (file) => (file === entry ? text : null),
      writeFile: (file, contents) => {
        if (file === 'kernel.wasm' && typeof contents !== 'string') bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || bytes === undefined) throw new Error(`${source} does not compile`, { cause: error });
  const lines = Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,110}/g);
  return [
    `/** Generated from ${basename(source)} by scripts/compile-kernels.mjs; edit that and run it. */`,
    `export const ${name} = [`,
    ...lines.map((line) => `  '${line}',`),
    "].join('');",
    '',
  ].join('\n');
}

export const readCompiled = ({ bytes }) => readFileSync(urlOf(bytes), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernel of kernels) writeFileSync(urlOf(kernel.bytes), await compileKernel(kernel));
}
