import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKeys } from '#kernel/keys/keys.ts';
import { readAllFiles } from '../home.fixture.ts';
import { codeOf, makeBackup, restoring, tempFolder } from './backup.fixture.ts';
import { toManifestText } from './manifest.ts';

describe('rejects a damaged backup before it changes anything', () => {
  const refuse = async (damage: (to: string) => void, why: string, code = 'BACKUP_DAMAGED') => {
    const { to } = await makeBackup();
    damage(to);
    const home = tempFolder();
    writeFileSync(join(home, 'mine'), 'mine');
    await expect(restoring(to, home, { force: true })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
    expect(readAllFiles(home)).toEqual({ mine: Buffer.from('mine').toString('base64') });
  };
  const editManifest = (to: string, edit: (body: Record<string, unknown>) => unknown, reseal = false) => {
    const { seal, ...body } = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'));
    const edited = { ...body, ...(edit(body) as object) };
    const text = reseal ? toManifestText(createKeys(Buffer.alloc(32)), edited) : JSON.stringify({ ...edited, seal });
    writeFileSync(join(to, 'manifest.json'), text);
  };
  const flip = (file: string) => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
  };

  test('a flipped bit in any file', async () => {
    for (const path of [
      'store.db',
      'keys/key',
      'files/config.json',
      'files/instructions/be-kind.json',
      'files/audit-checkpoints.jsonl',
    ]) {
      await refuse((to) => flip(join(to, path)), `${path} was changed`);
    }
  });

  test('a file that is missing, truncated, or a link to another file', async () => {
    await refuse((to) => rmSync(join(to, 'store.db')), 'store.db is missing');
    await refuse((to) => {
      rmSync(join(to, 'store.db'));
      mkdirSync(join(to, 'store.db'));
    }, 'store.db is not a regular file');
    await refuse(
      (to) => writeFileSync(join(to, 'store.db'), readFileSync(join(to, 'store.db')).subarray(0, 4096)),
      'store.db has 4096 bytes',
    );
    await refuse((to) => {
      const file = join(to, 'files/instructions/be-kind.json');
      rmSync(file);
      writeFileSync(join(to, 'elsewhere'), '{"id":"be-kind"}');
      symlinkSync(join(to, 'elsewhere'), file);
    }, 'not a regular file');
    await refuse((to) => {
      renameSync(join(to, 'files/instructions'), join(to, 'elsewhere'));
      symlinkSync(join(to, 'elsewhere'), join(to, 'files/instructions'));
    }, 'not a regular file');
  });

  test('a manifest that is missing, invalid, edited, or of a newer version', async () => {
    await refuse((to) => rmSync(join(to, 'manifest.json')), 'no manifest.json');
    await refuse((to) => writeFileSync(join(to, 'manifest.json'), '{'), 'not JSON');
    await refuse((to) => writeFileSync(join(to, 'manifest.json'), 'null'), 'damaged');
    await refuse((to) => editManifest(to, () => ({ version: 2 })), 'restore it with a newer version');
    await refuse((to) => editManifest(to, () => ({ schema: 1 })), 'was changed after it was written');
    await refuse((to) => editManifest(to, () => ({ withKeys: false })), 'was changed after it was written');
    await refuse((to) => editManifest(to, () => ({ files: [] })), 'was changed after it was written');
  });

  test('a manifest that was sealed again without the key', async () => {
    await refuse((to) => editManifest(to, () => ({ at: 'yesterday' }), true), 'not written with this key');
    await refuse((to) => editManifest(to, () => ({ schema: 1 }), true), 'store.db has the schema');
    await refuse((to) => editManifest(to, () => ({ schema: 1_000 }), true), 'newer version', 'STORE_NEWER');
    await refuse((to) => editManifest(to, () => ({ store: 'none' }), true), 'manifest and the store do not match');
    await refuse((to) => editManifest(to, () => ({ withKeys: false }), true), 'manifest and the keys do not match');
  });

  test('a path that leads out of the data folder, even with a valid seal', async () => {
    const paths = [
      '../evil',
      '/etc/evil',
      'files/../../evil',
      'files/blobs/../../../evil',
      'files\\..\\evil',
      'files/blobs//x',
      'evil',
      'keys/other',
      'files/fourfold.db',
    ];
    for (const path of paths) {
      await refuse(
        (to) =>
          editManifest(
            to,
            ({ files }) => ({ files: [...(files as object[]), { path, bytes: 0, sha256: '0'.repeat(64) }] }),
            true,
          ),
        'damaged at files',
      );
    }
  });

  test('a folder that is not a backup', async () => {
    const home = join(tempFolder(), 'home');
    expect(await codeOf(restoring(tempFolder(), home))).toBe('BACKUP_DAMAGED');
    expect(await codeOf(restoring(join(tempFolder(), 'nowhere'), home))).toBe('BACKUP_DAMAGED');
    expect(existsSync(home)).toBe(false);
  });
});
