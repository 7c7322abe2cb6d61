import type { Readable, Writable } from 'node:stream';
import type { Caller } from '#kernel/call.ts';
import { limits } from '#kernel/limits.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import { parseMessage, refusalText, tooLarge } from './parse-message.ts';
import { createStdioConnection } from './stdio-connection.ts';
import { createLineSplitter, createOutbox } from './stdio-lines.ts';

/** Pauses a stream while there is any reason to hold it. */
interface PauseSwitch<Reason> {
  hold(reason: Reason): void;
  release(reason: Reason): void;
}

function createPauseSwitch<Reason>(stream: Readable): PauseSwitch<Reason> {
  const reasons = new Set<Reason>();
  return {
    hold(reason) {
      reasons.add(reason);
      stream.pause();
    },
    release(reason) {
      if (reasons.delete(reason) && reasons.size === 0) stream.resume();
    },
  };
}

export interface StdioIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly caller: Caller;
  /** Overrides the setting of the deps. */
  readonly keepAliveMs?: number;
}

export interface StdioService {
  /** The client is gone or asked to end, and every possible answer has left. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const blank = /^\s*$/;
/** A longer line is not skipped as blank. */
const blankChars = 8;

/** Speaks MCP over a pair of streams: one JSON message per line, nothing else on stdout. */
export function serveStdio(deps: McpDeps, io: StdioIo, options: McpOptions = {}): StdioService {
  const { stdin, stdout, caller } = io;
  const input = createPauseSwitch<'slow-reader' | 'many-calls'>(stdin);
  const outbox = createOutbox(stdout, {
    full: () => input.hold('slow-reader'),
    drained: () => input.release('slow-reader'),
    broken: () => void finish(),
  });
  let onIdle = () => {};
  let isActive = false;
  let finished: Promise<void> | undefined;
  const connection = createStdioConnection(deps, options, caller, {
    send: outbox.send,
    settled,
    exit: () => void finish(),
  });
  const splitter = createLineSplitter(limits.messageBytes, {
    line(bytes) {
      isActive = true;
      if (bytes.length <= blankChars && blank.test(bytes.toString('latin1'))) return;
      const parsed = parseMessage(bytes);
      if (!parsed.ok) {
        deps.log.debug({ bytes: bytes.length, fault: parsed.fault.code }, 'a line is no message');
        outbox.send(refusalText(parsed.fault, parsed));
        return;
      }
      connection.receive(parsed.message);
      if (connection.isBusy) input.hold('many-calls');
    },
    oversized() {
      deps.log.debug({ limit: limits.messageBytes }, 'a line is too long');
      outbox.send(refusalText(tooLarge()));
    },
  });

  const { promise: done, resolve } = Promise.withResolvers<void>();

  const onEnd = () => {
    splitter.end();
    void finish();
  };
  stdin.on('data', splitter.push);
  stdin.once('end', onEnd);
  stdin.once('close', onEnd);
  stdin.once('error', onEnd);

  const keepAliveMs = io.keepAliveMs ?? deps.idleKeepaliveMs ?? 0;
  const keepAlive = keepAliveMs > 0 ? setInterval(pingIfIdle, keepAliveMs).unref() : undefined;

  function pingIfIdle(): void {
    if (!isActive) connection.ping();
    isActive = false;
  }

  function settled(): void {
    if (!connection.isBusy) input.release('many-calls');
    if (connection.isIdle) onIdle();
  }

  /** Resolves when nothing is left to answer, or after the time limit. */
  const untilIdle = (ms: number): Promise<void> =>
    new Promise((release) => {
      const timer = setTimeout(release, ms);
      onIdle = () => {
        clearTimeout(timer);
        release();
      };
      if (connection.isIdle) onIdle();
    });

  async function end(): Promise<void> {
    clearInterval(keepAlive);
    stdin.off('data', splitter.push);
    stdin.pause();
    // A tenth of the time is reserved for the remaining shutdown.
    await untilIdle(limits.stdinEndMs * 0.8);
    const closing = Promise.all([connection.close(), outbox.flushed()]);
    deps.log.debug({ isIdle: connection.isIdle }, 'the connection ends');
    await Promise.race([closing, new Promise((release) => setTimeout(release, limits.stdinEndMs * 0.1).unref())]);
    resolve();
  }

  function finish(): Promise<void> {
    finished ??= end().catch((error: unknown) => {
      deps.log.error({ err: error }, 'the connection did not end cleanly');
      resolve();
    });
    return finished;
  }

  return { done, close: finish };
}
