import type { Call, TenantId } from '#kernel/call.ts';
import { createFileUrl, type FileUrlAnswer, type FileUrlInput } from './file-url.ts';
import type { FilesDeps } from './files-deps.ts';
import { createSigner } from './sign-address.ts';
import { createSignedFiles, type SignedFiles } from './signed-files.ts';
import { createFileSweep } from './sweep-files.ts';
import { createUpload, type UploadAnswer, type UploadInput } from './upload-file.ts';

/** Files with what is in them. Every answer is of the caller's tenant alone. */
export interface Files {
  /** FILE_NOT_FOUND, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, RECORD_NOT_FOUND; ANALYSIS_FAILED keeps the file. */
  upload(input: UploadInput, call: Call): Promise<UploadAnswer>;
  /** FILE_NOT_FOUND, SIGNING_FAILED. */
  fileUrl(input: FileUrlInput, call: Call): Promise<FileUrlAnswer>;
  /** For whoever serves them. */
  readonly signed: SignedFiles;
  /** Files that were kept for records which are purged, and bytes that no file has. */
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
