import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hmacHex, sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import { adminFaults } from '../admin-faults.ts';
import { ifMissing } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';

export const manifestVersion = 1;
export const manifestName = 'manifest.json';

export const backupNames = { store: 'store.db', files: 'files', key: 'keys/key' } as const;

const { checkpoints, config, blobs, instructions } = homeNames;
const singles: readonly string[] = [backupNames.store, backupNames.key, `files/${checkpoints}`, `files/${config}`];
const folders: readonly string[] = [`files/${blobs}/`, `files/${instructions}/`];

/** Only known paths; none may lead out of the folder. */
function isBackupPath(path: string): boolean {
  if (singles.includes(path)) return true;
  if (path.includes('\\') || path.includes('\0') || !path.isWellFormed()) return false;
  const parts = path.split('/');
  return (
    folders.some((folder) => path.startsWith(folder)) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

const bodySchema = z.strictObject({
  format: z.literal('fourfold-backup'),
  version: z.literal(manifestVersion),
  program: z.string(),
  schema: z.int().min(0),
  at: z.string(),
  /** `none`: the store is a PostgreSQL database and is backed up separately. */
  store: z.enum(['sqlite', 'none']),
  withKeys: z.boolean(),
  /** Identifies the key file with which the store was written. */
  keyId: z.string(),
  /** Secret settings that were left out of config.json. */
  withheld: z.array(z.string()),
  files: z.array(
    z.strictObject({
      path: z.string().refine(isBackupPath),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

const sealSchema = z.strictObject({
  /** Detects damage without a key. */
  sha256: z.string(),
  /** Detects edits by anyone who does not have the key. */
  mac: z.string(),
});

export type ManifestBody = z.infer<typeof bodySchema>;

export interface Manifest {
  readonly body: ManifestBody;
  readonly mac: string;
}

const backupKey = (keys: Keys): Buffer => keys.derive('backup');

export const keyIdOf = (keys: Keys): string => hmacHex(backupKey(keys), 'key-id').slice(0, 16);
const macOf = (keys: Keys, body: ManifestBody): string => hmacHex(backupKey(keys), canonicalJson(body));

export const toManifestText = (keys: Keys, body: ManifestBody): string =>
  `${JSON.stringify({ ...body, seal: { sha256: sha256Hex(canonicalJson(body)), mac: macOf(keys, body) } }, null, 2)}\n`;

const refuse = (why: string) => adminFaults.BACKUP_DAMAGED({ why });

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(ifMissing(undefined));
  if (text === undefined) throw refuse(`${folder} has no ${manifestName}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(`its ${manifestName} is not JSON`);
  }
  const { seal, ...rest } = (value ?? {}) as Record<string, unknown>;
  const newer = rest['version'];
  if (rest['format'] === 'fourfold-backup' && typeof newer === 'number' && newer > manifestVersion) {
    throw refuse(
      `its version is ${newer}, but this program reads up to ${manifestVersion}: restore it with a newer version`,
    );
  }
  const body = bodySchema.safeParse(rest);
  const sealed = sealSchema.safeParse(seal);
  if (!body.success)
    throw refuse(`its ${manifestName} is damaged at ${body.error.issues[0]?.path.join('.') || 'the top level'}`);
  if (!sealed.success || sealed.data.sha256 !== sha256Hex(canonicalJson(body.data))) {
    throw refuse(`its ${manifestName} was changed after it was written`);
  }
  return { body: body.data, mac: sealed.data.mac };
}

/** Checks that the manifest was written with these keys. */
export function checkMac(keys: Keys, { body, mac }: Manifest): void {
  if (macOf(keys, body) !== mac) throw refuse(`its ${manifestName} was not written with this key`);
}
