import type { OpenedFile } from '#kernel/paths/allowed-roots.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { createFileKindDetector } from './detect/detect-file-kind.ts';
import type { FileKind } from './file-kind.ts';

const tooLarge = (sizeBytes: number) =>
  truthFaults.FILE_TOO_LARGE({}, { file_size_bytes: sizeBytes, max_size_bytes: truthLimits.fileBytes });

/** A part of the old and a part of the new would be a file that never was. */
const changed = () => truthFaults.UPLOAD_FAILED({ why: 'it changed while it was read' });

export interface FileStream {
  /** Throws at its end, before anything is kept of it, when the file is no type of ours or changed on the way. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Known when all chunks have passed. */
  kind(): FileKind;
}

/** One pass over an open file: its bytes as they are kept, and what they are. */
export function streamFile({ handle, stat: before }: OpenedFile, signal: AbortSignal): FileStream {
  const sniffer = createFileKindDetector();
  let found: FileKind | undefined;

  async function* read(): AsyncGenerator<Uint8Array> {
    if (before.size > truthLimits.fileBytes) throw tooLarge(Number(before.size));
    let totalBytes = 0;
    for (;;) {
      signal.throwIfAborted();
      // Each chunk is memory of its own: whoever takes it may hold it.
      const buffer = Buffer.allocUnsafe(truthLimits.readChunkBytes);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, totalBytes);
      if (bytesRead === 0) break;
      totalBytes += bytesRead;
      // Whoever reads after a file that grows is never done.
      if (totalBytes > before.size) throw changed();
      const chunk = buffer.subarray(0, bytesRead);
      sniffer.add(chunk);
      yield chunk;
    }
    const after = await handle.stat({ bigint: true });
    if (after.mtimeNs !== before.mtimeNs || after.size !== before.size || after.size !== BigInt(totalBytes))
      throw changed();
    const kind = sniffer.end();
    if (typeof kind !== 'string') throw truthFaults.UNSUPPORTED_FILE_TYPE(kind);
    found = kind;
  }

  return {
    chunks: read(),
    kind() {
      if (found === undefined) throw new Error('bug: the file was not read to its end');
      return found;
    },
  };
}
