import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Call, type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toIso } from '../iso-time.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { type FileAddress, parseFileAddress } from './file-address.ts';
import type { FileBlobs } from './file-blobs.ts';
import { type FileRow, findFile } from './file-store.ts';
import { createFileSweep } from './sweep-files.ts';
import { createUpload, type UploadAnswer, type UploadDeps, type UploadInput } from './upload-file.ts';

/** Serves the signed URLs. It may start only when the first URL is signed. */
export interface FileServer {
  /** `http://127.0.0.1:8787`, without a trailing slash. */
  baseUrl(): Promise<string>;
}

export interface FilesDeps extends UploadDeps, Pick<TruthDeps, 'clock'> {
  readonly signingKey: Uint8Array;
  readonly server: FileServer;
}

interface FileGrant extends FileAddress {
  readonly tenant: TenantId;
  readonly expiresAtS: number;
}

interface Signer {
  sign(grant: FileGrant): string;
  /** Undefined if the token was not signed with this key or was changed. Does not check the expiry. */
  open(token: string): FileGrant | undefined;
}

const macBytes = 32;

/** [TR26] The MAC is verified before anything in the token is read. */
export function createSigner(key: Uint8Array): Signer {
  const macOf = (body: Uint8Array): Buffer => createHmac('sha256', key).update(body).digest();
  return {
    sign({ tenant, bucket, sha256, expiresAtS }) {
      const body = Buffer.from(JSON.stringify([tenant, bucket, sha256, expiresAtS]));
      return Buffer.concat([macOf(body), body]).toString('base64url');
    },
    open(token) {
      if (token.length > truthLimits.signedTokenChars) return undefined;
      const sealed = Buffer.from(token, 'base64url');
      // Decoding ignores stray characters, but a token must have exactly one spelling.
      if (sealed.length <= macBytes || sealed.toString('base64url') !== token) return undefined;
      const body = sealed.subarray(macBytes);
      if (!timingSafeEqual(sealed.subarray(0, macBytes), macOf(body))) return undefined;
      const [tenant, bucket, sha256, expiresAtS] = JSON.parse(body.toString()) as [string, string, string, number];
      return { tenant: toTenantId(tenant), bucket, sha256, expiresAtS };
    },
  };
}

interface FileUrlInput {
  readonly file_path: string;
  readonly expires_in: number;
}

interface FileUrlAnswer {
  readonly signed_url: string;
  readonly expires_at: string;
}

const filesPath = '/files/';

function createFileUrl(deps: FilesDeps, signer: Signer) {
  const { storage, blobs, server, clock, log } = deps;

  async function expectFile(path: string, call: Call): Promise<FileRow> {
    const address = parseFileAddress(path);
    const row = address === undefined ? undefined : await storage.read(call, (db) => findFile(db, address));
    if (row === undefined) throw truthFaults.FILE_NOT_FOUND({});
    return row;
  }

  async function ownUrl({ bucket, sha256 }: FileRow, expiresAtS: number, call: Call): Promise<string> {
    if (!(await blobs.has(call.tenant, sha256))) throw truthFaults.FILE_NOT_FOUND({});
    let baseUrl: string;
    try {
      baseUrl = await server.baseUrl();
    } catch (error) {
      log.warn({ reason: String(error) }, 'the file server could not be started');
      throw truthFaults.SIGNING_FAILED({ why: 'the file server could not be started' }, {}, { cause: error });
    }
    return `${baseUrl}${filesPath}${signer.sign({ bucket, sha256, tenant: call.tenant, expiresAtS })}`;
  }

  return async function fileUrl({ file_path, expires_in }: FileUrlInput, call: Call): Promise<FileUrlAnswer> {
    const row = await expectFile(file_path, call);
    const signedAtS = Math.floor(clock.now() / 1000);
    const expiresAtS = signedAtS + expires_in;
    const { sha256, content_type: contentType, file_name: fileName } = row;
    const input = { sha256, contentType, fileName, signedAtS, expiresInS: expires_in };
    const direct = await blobs.service?.signUrl(call.tenant, input);
    return { signed_url: direct ?? (await ownUrl(row, expiresAtS, call)), expires_at: toIso(expiresAtS * 1000) };
  };
}

interface SignedFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly stream: Readable;
}

interface SignedFiles {
  /** Undefined for an invalid or expired token and for a missing file, without saying which. */
  open(token: string): Promise<SignedFile | undefined>;
}

interface SignedFilesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly blobs: FileBlobs;
  readonly signer: Signer;
}

const createSignedFiles = ({ storage, clock, blobs, signer }: SignedFilesDeps): SignedFiles => ({
  async open(token) {
    const grant = signer.open(token);
    if (grant === undefined || grant.expiresAtS * 1000 <= clock.now()) return undefined;
    const { tenant } = grant;
    const row = await storage.read(systemCall('files/signed', { tenant }), (db) => findFile(db, grant));
    const opened = row === undefined ? undefined : await blobs.read(tenant, row.sha256);
    if (row === undefined || opened === undefined) return undefined;
    return { contentType: row.content_type, fileName: row.file_name, bytes: opened.bytes, stream: opened.stream };
  },
});

export interface Files {
  /** FILE_NOT_FOUND, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, RECORD_NOT_FOUND; ANALYSIS_FAILED keeps the file. */
  upload(input: UploadInput, call: Call): Promise<UploadAnswer>;
  /** FILE_NOT_FOUND, SIGNING_FAILED. */
  fileUrl(input: FileUrlInput, call: Call): Promise<FileUrlAnswer>;
  readonly signed: SignedFiles;
  /** Removes files of purged records and unreferenced bytes. */
  sweep(tenant: TenantId, signal: AbortSignal): Promise<void>;
}

export function createFiles(deps: FilesDeps): Files {
  const signer = createSigner(deps.signingKey);
  return {
    upload: createUpload(deps),
    fileUrl: createFileUrl(deps, signer),
    signed: createSignedFiles({ ...deps, signer }),
    sweep: createFileSweep(deps),
  };
}
