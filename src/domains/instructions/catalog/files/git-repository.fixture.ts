import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git in a folder as this author. */
export const gitIn = (folder: string, name = 'Ada Lovelace', mail = 'ada@example.org') => {
  const who = ['-c', `user.name=${name}`, '-c', `user.email=${mail}`, '-c', 'commit.gpgSign=false'];
  return (args: readonly string[], input = ''): string =>
    execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'ignore'] });
};

export type Git = ReturnType<typeof gitIn>;

export const commitAll = (git: Git): void => {
  git(['add', '.']);
  git(['commit', '--quiet', '--message', 'a change']);
};

const signature = '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n';

/**
 * Configures everything that makes git start a program, and gives the last commit a signature to check. `tools` is a
 * folder outside the repository.
 */
export function makeHostile(git: Git, folder: string, tools: string) {
  const marker = join(tools, 'was-run');
  const script = join(tools, 'hostile.sh');
  writeFileSync(script, `#!/bin/sh\necho "$*" >> '${marker}'\nexit 1\n`, { mode: 0o755 });
  const signed = git(['cat-file', 'commit', 'HEAD']).replace('\n\n', signature);
  git(['update-ref', 'HEAD', git(['hash-object', '-t', 'commit', '-w', '--stdin'], signed).trim()]);
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout']) {
    writeFileSync(join(folder, '.git', 'hooks', hook), `#!/bin/sh\nexec '${script}'\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, '.git', 'info', 'attributes'), '* filter=x diff=x\n');
  const programs = ['core.fsmonitor', 'core.pager', 'pager.log', 'core.sshCommand', 'core.editor', 'gpg.program'];
  const drivers = ['diff.external', 'diff.x.textconv', 'filter.x.clean', 'filter.x.smudge', 'credential.helper'];
  const settings: readonly (readonly [string, string])[] = [
    ...[...programs, ...drivers].map((key) => [key, script] as const),
    ...['log', 'ls-tree'].map((name) => [`alias.${name}`, `!${script}`] as const),
    ['log.showSignature', 'true'],
    // Git fetches a missing object from here.
    ['protocol.ext.allow', 'always'],
    ['remote.origin.url', `ext::${script}`],
    ['remote.origin.promisor', 'true'],
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
  ];
  for (const [key, value] of settings) git(['config', key, value]);
  rmSync(marker, { force: true });
  return {
    wasRun: () => existsSync(marker),
    /** Whether git itself runs a program for this command. */
    runs(args: readonly string[]): boolean {
      try {
        git(args);
      } catch {
        // The hostile program fails, and so does git.
      }
      const was = existsSync(marker);
      rmSync(marker, { force: true });
      return was;
    },
  };
}
