// Compiles the kernels in AssemblyScript into the files that hold their bytes: `node scripts/compile-kernels.mjs`.
// No TypeScript, because the compiler's own types would change what `Array` means for the whole program.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

/** Sources, and the files that hold what they compile to. */
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

/** The text of the file that holds the compiled bytes: the same for the same source and compiler. */
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
