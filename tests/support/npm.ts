import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The npm on the PATH. Its own variables must not reach the npm that a test starts. */
const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|FOURFOLD_|NODE_|VITEST)/i.test(name)));

const findOnPath = (name: string): string => {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (!file.includes('node_modules') && existsSync(file)) return realpathSync(file);
  }
  throw new Error(`${name} is not on the PATH`);
};

export const npm = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...cleanEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(findOnPath('node'), [findOnPath('npm'), ...args], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`npm ${args.join(' ')}: ${stderr || error.message}`)),
    );
  });

/** A PATH with only node, npm and a shell: no Python, compiler or git. */
export function makeBarePath(folder: string): string {
  const bin = join(folder, 'bare-bin');
  mkdirSync(bin);
  symlinkSync(findOnPath('node'), join(bin, 'node'));
  symlinkSync(findOnPath('sh'), join(bin, 'sh'));
  writeFileSync(join(bin, 'npm'), `#!${join(bin, 'sh')}\nexec ${join(bin, 'node')} ${findOnPath('npm')} "$@"\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return bin;
}
