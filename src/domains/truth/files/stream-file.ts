import type { OpenedFile } from '#kernel/paths/allowed-roots.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { createFileKindDetector } from './detect/detect-file-kind.ts';
import type { FileKind } from './file-kind.ts';
import { decodeContent, sizeOfContent } from './inline-content.ts';

const tooLarge = (sizeBytes: number) =>
  truthFaults.FILE_TOO_LARGE({}, { file_size_bytes: sizeBytes, max_size_bytes: truthLimits.fileBytes });

const changed = () => truthFaults.UPLOAD_FAILED({ why: 'it changed during the upload' });

export interface FileStream {
  /** Throws at its end, before anything is stored, if the type is unsupported or the file has changed. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Available after the last chunk. */
  kind(): FileKind;
}

/** Detects the kind while the chunks pass through. */
function detecting(source: AsyncIterable<Buffer>): FileStream {
  const detector = createFileKindDetector();
  let found: FileKind | undefined;

  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      detector.add(chunk);
      yield chunk;
    }
    const kind = detector.end();
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

async function* readChunks({ handle, stat: before }: OpenedFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  if (before.size > truthLimits.fileBytes) throw tooLarge(Number(before.size));
  let totalBytes = 0;
  for (;;) {
    signal.throwIfAborted();
    // A new buffer for each chunk, because the consumer may keep it.
    const buffer = Buffer.allocUnsafe(truthLimits.readChunkBytes);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, totalBytes);
    if (bytesRead === 0) break;
    totalBytes += bytesRead;
    // Otherwise a growing file would be read without end.
    if (totalBytes > before.size) throw changed();
    yield buffer.subarray(0, bytesRead);
  }
  const after = await handle.stat({ bigint: true });
  if (after.mtimeNs !== before.mtimeNs || after.size !== before.size || after.size !== BigInt(totalBytes))
    throw changed();
}

/** Reads an open file once: the bytes to store and their kind. */
export const streamFile = (opened: OpenedFile, signal: AbortSignal): FileStream =>
  detecting(readChunks(opened, signal));

/** The same for content that the call contains, in base64. */
export function streamContent(text: string, signal: AbortSignal): FileStream {
  const sizeBytes = sizeOfContent(text);
  if (sizeBytes > truthLimits.fileBytes) throw tooLarge(sizeBytes);
  return detecting(decodeContent(text, signal));
}
