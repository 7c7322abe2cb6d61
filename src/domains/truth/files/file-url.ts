import type { Call } from '#kernel/call.ts';
import { toIso } from '../times.ts';
import { truthFaults } from '../truth-faults.ts';
import { type FileAddress, parseFileAddress } from './file-address.ts';
import { findFile } from './file-row-store.ts';
import type { FilesDeps } from './files-deps.ts';
import type { Signer } from './sign-address.ts';

export interface FileUrlInput {
  readonly file_path: string;
  readonly expires_in: number;
}

export interface FileUrlAnswer {
  readonly signed_url: string;
  readonly expires_at: string;
}

/** Where signed files are served: `/files/<token>`. */
const filesPath = '/files/';

export function createFileUrl(deps: FilesDeps, signer: Signer) {
  async function expectFile(path: string, call: Call): Promise<FileAddress> {
    const address = parseFileAddress(path);
    if (address === undefined) throw truthFaults.FILE_NOT_FOUND({});
    const row = await deps.storage.read(call, function* (db) {
      return yield* findFile(db, address);
    });
    if (row === undefined || !(await deps.store.has(call.tenant, row.sha256))) throw truthFaults.FILE_NOT_FOUND({});
    return address;
  }

  return async function fileUrl({ file_path, expires_in }: FileUrlInput, call: Call): Promise<FileUrlAnswer> {
    const address = await expectFile(file_path, call);
    let baseUrl: string;
    try {
      baseUrl = await deps.server.baseUrl();
    } catch (error) {
      deps.log.warn({ reason: String(error) }, 'nothing serves signed files');
      throw truthFaults.SIGNING_FAILED({ why: 'nothing serves files here' }, {}, { cause: error });
    }
    const expiresAtS = Math.floor(deps.clock.now() / 1000) + expires_in;
    const token = signer.sign({ ...address, tenant: call.tenant, expiresAtS });
    return { signed_url: `${baseUrl}${filesPath}${token}`, expires_at: toIso(expiresAtS * 1000) };
  };
}
