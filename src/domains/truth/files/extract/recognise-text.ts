import { spawn } from 'node:child_process';
import { findProgram } from '#kernel/paths/find-program.ts';
import { truthLimits } from '../../truth-limits.ts';
import { createBoundedText, type ExtractedText, UnreadableFile } from './extracted-text.ts';

/** The shell sets the limits and execs the program, so that the system enforces them even if this process ends. */
const bounded = 'ulimit -v "$1" && ulimit -t "$2" && shift 2 && exec "$@"';

function run(program: string, image: Uint8Array): Promise<string> {
  const { recogniseCpuS, recogniseMemoryMb, recogniseWallMs, textChars } = truthLimits;
  const bounds = [String(recogniseMemoryMb * 1024), String(recogniseCpuS)];
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', bounded, 'sh', ...bounds, program, 'stdin', 'stdout'], {
      env: { OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: recogniseWallMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > textChars * 4) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    // If the program ends early, its exit code is reported.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new UnreadableFile('damaged', 'no text could be recognised in the image'));
    });
    child.stdin.end(image);
  });
}

export async function recogniseText(image: Uint8Array, folders?: readonly string[]): Promise<ExtractedText> {
  const program = await findProgram('tesseract', folders);
  if (program === undefined)
    throw new UnreadableFile('no_text_recognition', 'images need the program tesseract, which is not installed');
  const text = createBoundedText();
  for (const line of (await run(program, image)).split(/\r?\n/)) if (!text.add(line)) break;
  return text.end();
}
