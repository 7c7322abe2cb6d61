import type { Readable } from 'node:stream';
import type { Clock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { findFile } from './file-row-store.ts';
import type { FileStore } from './file-store.ts';
import type { Signer } from './sign-address.ts';

/** A file on its way to whoever holds a signed address. */
export interface SignedFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly stream: Readable;
}

export interface SignedFiles {
  /** Undefined for a token that is wrong, changed or late, and for a file that is gone: nobody learns which. */
  open(token: string): Promise<SignedFile | undefined>;
}

export interface SignedFilesDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly store: FileStore;
  readonly signer: Signer;
}

export const createSignedFiles = ({ storage, clock, store, signer }: SignedFilesDeps): SignedFiles => ({
  async open(token) {
    const grant = signer.open(token);
    if (grant === undefined || grant.expiresAtS * 1000 <= clock.now()) return undefined;
    const { tenant } = grant;
    const row = await storage.read(systemCall('files/signed', { tenant }), function* (db) {
      return yield* findFile(db, grant);
    });
    const opened = row === undefined ? undefined : await store.read(tenant, row.sha256);
    if (row === undefined || opened === undefined) return undefined;
    return { contentType: row.content_type, fileName: row.file_name, bytes: opened.bytes, stream: opened.stream };
  },
});
