import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { formatOf } from '../formats/page-format.ts';
import { sourceRefused } from './allowed-path.ts';
import { cleanPath } from './inline-pages.ts';
import { isDocsFolder, type PackageNames, toDisplayPath, toLibraryName, toPackageNames } from './open-folder.ts';
import {
  guardFolder,
  type PageSource,
  type RawPage,
  type SkippedPage,
  type SourceAccess,
  tooLarge,
} from './page-source.ts';
import { damagedArchive, readAt, readMembers, type ZipMember } from './zip-members.ts';

const localHeadBytes = 30;
const localSignature = 0x04034b50;

const zipBomb = (member: Pick<ZipMember, 'name'>) =>
  faults.VALIDATION_ERROR(
    { why: `The archive is rejected: ${JSON.stringify(member.name)} unpacks to far more than docs would` },
    { field: 'source' },
  );

/** Text packs to a tenth. A member that packs to a thousandth is a zip bomb. */
function checkDeclared(member: ZipMember): void {
  const { packedBytes, unpackedBytes } = member;
  const isSmall = unpackedBytes <= knowledgeLimits.smallMemberBytes;
  if (!isSmall && unpackedBytes > packedBytes * knowledgeLimits.unpackedRatio) throw zipBomb(member);
}

/** Never unpacks more than the declared size: a larger member makes the whole archive invalid. */
async function unpack(handle: FileHandle, member: ZipMember): Promise<Buffer> {
  const head = await readAt(handle, member.headerAt, localHeadBytes);
  if (head.readUInt32LE(0) !== localSignature)
    throw damagedArchive(`${JSON.stringify(member.name)} is not at its position`);
  const at = member.headerAt + localHeadBytes + head.readUInt16LE(26) + head.readUInt16LE(28);
  const packed = await readAt(handle, at, member.packedBytes);
  const bytes = member.method === 0 ? packed : inflate(packed, member);
  if (bytes.length > member.unpackedBytes) throw zipBomb(member);
  if (bytes.length !== member.unpackedBytes || crc32(bytes) !== member.crc) {
    throw damagedArchive(`${JSON.stringify(member.name)} is damaged`);
  }
  return bytes;
}

function inflate(packed: Buffer, member: ZipMember): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(member.unpackedBytes, 1) });
  } catch (error) {
    if (error instanceof RangeError) throw zipBomb(member);
    throw damagedArchive(`${JSON.stringify(member.name)} is damaged`, error);
  }
}

export const isZipFile = (path: string): boolean => /\.zip$/i.test(path);

/** Release archives keep all files in one top folder, which is not part of the paths. */
function commonFolder(paths: readonly string[]): string {
  const first = paths[0]?.split('/')[0] ?? '';
  const isCommon = paths.length > 0 && paths.every((path) => path.startsWith(`${first}/`));
  return isCommon ? `${first}/` : '';
}

interface ZipPage {
  readonly path: string;
  readonly member: ZipMember;
}

/** Folders, including those in Windows notation, and macOS metadata. */
const isNoFile = (name: string): boolean => /[/\\]$/.test(name) || name.startsWith('__MACOSX/');

function withPaths(members: readonly ZipMember[]): {
  readonly files: readonly ZipPage[];
  readonly skipped: readonly SkippedPage[];
} {
  const files: ZipPage[] = [];
  const skipped: SkippedPage[] = [];
  for (const member of members) {
    if (isNoFile(member.name)) continue;
    const path = cleanPath(member.name);
    const shown = member.name.slice(0, knowledgeLimits.pathChars).toWellFormed();
    if (path === undefined) skipped.push({ path: shown, reason: 'its path leaves the archive' });
    else if (path.length > knowledgeLimits.pathChars) skipped.push({ path: shown, reason: 'its path is too long' });
    else files.push({ path, member });
  }
  const folder = commonFolder(files.map(({ path }) => path));
  return { files: files.map(({ path, member }) => ({ path: path.slice(folder.length), member })), skipped };
}

const isWanted = (path: string): boolean => {
  const steps = path.split('/');
  return formatOf(path) !== undefined && !steps.at(-1)!.startsWith('.') && steps.slice(0, -1).every(isDocsFolder);
};

/** Selects pages by their declared properties. */
function selectPages(files: readonly ZipPage[]) {
  const pages = new Map<string, ZipPage>();
  const skipped: SkippedPage[] = [];
  let bytes = 0;
  for (const { path, member } of files.filter((file) => isWanted(file.path))) {
    checkDeclared(member);
    if (member.isEncrypted) skipped.push({ path, reason: 'it is encrypted' });
    else if (member.method !== 0 && member.method !== 8)
      skipped.push({ path, reason: 'its compression method is not supported' });
    else if (member.unpackedBytes > knowledgeLimits.pageBytes) skipped.push({ path, ...tooLarge });
    else if (pages.has(path)) skipped.push({ path, reason: 'its name occurs twice' });
    else {
      bytes += member.unpackedBytes;
      if (bytes > knowledgeLimits.sourceBytes) {
        throw faults.RESOURCE_LIMIT({
          what: 'The content of the archive',
          limit: knowledgeLimits.sourceBytes,
          unit: 'bytes',
        });
      }
      pages.set(path, { path, member });
    }
  }
  if (pages.size > knowledgeLimits.pagesCount) {
    throw faults.RESOURCE_LIMIT({
      what: 'The content of the archive',
      limit: knowledgeLimits.pagesCount,
      unit: 'pages',
    });
  }
  return { pages: [...pages.values()], skipped };
}

async function readNames(handle: FileHandle, files: readonly ZipPage[], file: string): Promise<PackageNames> {
  const manifest = files.find(({ path }) => path === 'package.json')?.member;
  const fallback = toLibraryName(basename(file).replace(/\.zip$/i, ''));
  if (manifest === undefined || manifest.unpackedBytes > knowledgeLimits.pageBytes)
    return { library: fallback, version: undefined };
  try {
    const { library, version } = toPackageNames(
      JSON.parse((await unpack(handle, manifest)).toString()) as Record<string, unknown>,
    );
    return { library: library ?? fallback, version };
  } catch {
    return { library: fallback, version: undefined };
  }
}

/**
 * Unpacks every page once before anything is written: the declared sizes cannot be trusted, and an archive with a wrong
 * one is rejected as a whole.
 */
export async function openZip(file: string, access: SourceAccess): Promise<PageSource> {
  const opened = await guardFolder(dirname(file), access)
    .open(file)
    .catch(() => undefined);
  if (opened === undefined) throw sourceRefused(access);
  const { handle, stat } = opened;
  try {
    const { files, skipped } = withPaths(await readMembers(handle, Number(stat.size)));
    const choice = selectPages(files);
    for (const { member } of choice.pages) await unpack(handle, member);
    const pages = choice.pages.map(
      ({ path, member }): RawPage => ({ path, format: formatOf(path)!, read: () => unpack(handle, member) }),
    );
    const { library, version } = await readNames(handle, files, file);
    return {
      origin: { kind: 'zip', name: toDisplayPath(file, access) },
      ...{ library, version, pages, isWhole: true },
      skipped: [...skipped, ...choice.skipped],
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
