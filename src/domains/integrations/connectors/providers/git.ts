import { resolve } from 'node:path';
import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { findProgram } from '#kernel/paths/find-program.ts';
import { runGit } from '#kernel/paths/run-git.ts';
import { integrationFaults } from '../../integration-faults.ts';
import { integrationLimits } from '../../integration-limits.ts';
import { defineConnector, type RemoteItem } from '../connector.ts';

type Git = (args: readonly string[], signal: AbortSignal, stdin?: string) => Promise<string | undefined>;

/** `known` was read by earlier syncs; this one reads what `tips` adds, and is at place `at` of it. */
const place = z.object({
  known: z.array(z.string()).default([]),
  tips: z.array(z.string()).optional(),
  at: z.int().default(0),
});

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

async function expectOutput(git: Git, args: readonly string[], signal: AbortSignal, stdin?: string): Promise<string> {
  const text = await git(args, signal, stdin);
  if (text !== undefined) return text;
  signal.throwIfAborted();
  throw integrationFaults.SYNC_FAILED({ why: `git ${args[0]} failed in the repository` });
}

/** One field per line; the message is last and may have many. */
const commitFormat = ['%H', '%P', '%an', '%ae', '%aI', '%cI', '%B'].join('%n');

/** Of a commit with a broken date, git prints nothing, or the name of the field. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

function toCommit(text: string): RemoteItem {
  const [hash = '', parents = '', author = '', email = '', authoredAt = '', committedAt = '', ...message] =
    text.split('\n');
  const [title = '', ...body] = message;
  return {
    kind: 'commit',
    id: hash,
    at: isTime(committedAt) ? Date.parse(committedAt) : undefined,
    fields: {
      title,
      text: body.join('\n').trim(),
      author,
      author_email: email,
      date: isTime(authoredAt) ? authoredAt : undefined,
      parents: parents.split(' ').filter((parent) => parent !== ''),
    },
  };
}

const tagFormat = ['%(refname:short)', '%(objectname)', '%(*objectname)', '%(creatordate:iso-strict)'].join('%00');

function toTag(root: string, line: string): RemoteItem {
  const [name = '', id = '', commit = '', date = ''] = line.split('\0');
  return {
    kind: 'commit',
    // Other repositories have tags of the same name.
    id: `${root} ${name}`,
    at: Date.parse(date) || undefined,
    fields: { title: name, tag: name, commit: commit || id, ...(date !== '' && { date }) },
  };
}

/** Reads the commits of all branches, parents first, and the tags after them. */
export const git = defineConnector({
  options: z.strictObject({
    address: z
      .string({ error: 'pass the folder of the repository: connectors add git <path>' })
      .transform((path) => resolve(path)),
  }),
  async open({ address: root }) {
    const program = await findProgram('git');
    if (program === undefined)
      throw faults.NOT_FOUND({ what: 'the program git' }, { fix: 'Install git, or add its folder to PATH.' });
    const { gitMs, gitOutputBytes } = integrationLimits;
    const run: Git = (args, signal, stdin) =>
      runGit({
        ...{ program, folder: root, args, signal },
        ...(stdin !== undefined && { stdin }),
        timeoutMs: gitMs,
        outputBytes: gitOutputBytes,
      });
    let listed: { readonly key: string; readonly hashes: readonly string[] } | undefined;

    /** The same list for the same tips, so that a sync goes on at its place after a crash. */
    async function listNew(tips: readonly string[], known: readonly string[], signal: AbortSignal) {
      const key = JSON.stringify([tips, known]);
      if (listed?.key !== key) {
        const args = ['rev-list', '--reverse', '--topo-order', '--ignore-missing', '--stdin'];
        const wanted = [...tips, ...known.map((hash) => `^${hash}`)].join('\n');
        const text = tips.length === 0 ? '' : await expectOutput(run, args, signal, wanted);
        listed = { key, hashes: linesOf(text) };
      }
      return listed.hashes;
    }

    async function readCommits(hashes: readonly string[], signal: AbortSignal): Promise<readonly RemoteItem[]> {
      if (hashes.length === 0) return [];
      const args = ['log', '--no-walk=unsorted', '--stdin', '-z', `--format=${commitFormat}`, '--no-color'];
      const text = await expectOutput(run, [...args, '--encoding=UTF-8'], signal, hashes.join('\n'));
      return text
        .split('\0')
        .filter((part) => part !== '')
        .map(toCommit);
    }

    async function readTags(signal: AbortSignal): Promise<readonly RemoteItem[]> {
      const text = await expectOutput(run, ['for-each-ref', `--format=${tagFormat}`, 'refs/tags'], signal);
      return linesOf(text).map((line) => toTag(root, line));
    }

    return {
      async fetchPage({ cursor, limit, signal }) {
        const { known, tips: begun, at } = place.parse(JSON.parse(cursor ?? '{}'));
        const heads = await run(['for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/remotes'], signal);
        if (heads === undefined)
          throw faults.VALIDATION_ERROR({ why: `${root} is not a git repository` }, { field: 'address' });
        const tips = begun ?? [...new Set(linesOf(heads))].sort();
        const hashes = await listNew(tips, known, signal);
        const commits = await readCommits(hashes.slice(at, at + limit), signal);
        const next = at + limit;
        if (next < hashes.length)
          return { items: commits, hasMore: true, cursor: JSON.stringify({ known, tips, at: next }) };
        return {
          items: [...commits, ...(await readTags(signal))],
          hasMore: false,
          cursor: JSON.stringify({ known: tips }),
        };
      },
    };
  },
});
