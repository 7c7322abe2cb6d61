import { join } from 'node:path';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { instructionIdPattern } from '../../instruction-ids.ts';
import { mapId } from '../../rules/map-entry.ts';

export const versionFile = '.catalog-version';
const ending = '.json';

/** Files of the catalog folder that are not entries. */
const otherFiles: ReadonlySet<string> = new Set(['gates.json', 'owners.json', 'PROMPT-CRITERIA.json']);

export const isEntryFile = (name: string): boolean =>
  name.endsWith(ending) && !name.startsWith('.') && !otherFiles.has(name);

/** Catalogs of other programs have capitals and dots in their names. */
export function idOfFile(file: string): string {
  const stem = file.slice(0, -ending.length);
  return mapId(stem) ?? stem;
}

/** Names a file inside the folder, whatever the argument is. */
export function fileNameOf(id: string): string {
  if (!instructionIdPattern.test(id)) throw new Error('bug: a file name needs a valid id');
  return `${id}${ending}`;
}

const plainTenant = /^[a-z0-9][a-z0-9_-]{0,60}$/;
const hexCharsMax = 120;

/** Two tenants never share a folder, even where the file system ignores case. */
function toFolderName(tenant: TenantId): string {
  if (plainTenant.test(tenant)) return `t-${tenant}`;
  const hex = Buffer.from(tenant).toString('hex');
  return hex.length <= hexCharsMax ? `x-${hex}` : `h-${sha256Hex(tenant)}`;
}

export interface CatalogFolders {
  readonly folder: string;
  readonly tenantsFolder: string;
}

export const folderOfTenant = (tenant: TenantId, { folder, tenantsFolder }: CatalogFolders): string =>
  tenant === localTenant ? folder : join(tenantsFolder, toFolderName(tenant));

/** Begins with a dot and ends with `.tmp`, so that it is not mistaken for an entry. */
const temporaryName = /^\.fourfold-[0-9a-f-]{36}\.tmp$/;
export const toTemporaryName = (uuid: string): string => `.fourfold-${uuid}.tmp`;
export const isTemporaryName = (name: string): boolean => temporaryName.test(name);
