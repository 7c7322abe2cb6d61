import type { AllowedRoots } from '#kernel/paths/allowed-roots.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import type { ObserveDeps } from '../observations/write-observations.ts';
import type { Records } from '../records/records.ts';
import type { TruthDeps } from '../truth-deps.ts';
import type { FileStore } from './file-store.ts';

/** Where signed addresses lead. It may be opened only when somebody asks for one. */
export interface FileServer {
  /** `http://127.0.0.1:8787`, without a slash at its end. */
  baseUrl(): Promise<string>;
}

export interface FilesDeps extends TruthDeps, ObserveDeps {
  readonly roots: AllowedRoots;
  readonly store: FileStore;
  /** A pool for extraction alone: what a file makes of its process holds up nothing else. */
  readonly workers: Workers;
  readonly records: Pick<Records, 'writer'>;
  readonly signingKey: Uint8Array;
  readonly server: FileServer;
}
