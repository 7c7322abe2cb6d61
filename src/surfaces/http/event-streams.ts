import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, TenantId } from '#kernel/call.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import type { Change } from '#kernel/storage/port.ts';
import { securityHeaders } from './error-responses.ts';
import type { ChangeFeed } from './http-deps.ts';
import type { HttpLimits } from './http-limits.ts';

/** A change as a server-sent event; its `id` is the seq that the client sends back as Last-Event-ID. */
const toFrame = (change: Change): string => `id: ${change.seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

/** More was missed than is replayed: the client should reload what it shows. */
const resetFrame = 'event: reset\ndata: {}\n\n';
const beatFrame = ': beat\n\n';

interface EventStream {
  /** Sends a live change, or holds it back while a replay runs. */
  push(change: Change): void;
  /** Replays missed changes at the reader's speed, then the changes that arrived meanwhile, each once. */
  replay(missed: readonly Change[], isCut: boolean): Promise<void>;
  beat(): void;
  end(): void;
}

/** Settles when the buffer has drained or the connection has closed. */
const drained = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });

interface EventStreamLimits {
  readonly eventBufferBytes: number;
  readonly eventReplayCount: number;
}

/** `isReplaying` holds live changes back until `replay` is called. */
function createEventStream(res: ServerResponse, isReplaying: boolean, limits: EventStreamLimits): EventStream {
  let held: Change[] | undefined = isReplaying ? [] : undefined;
  let sentSeq = 0;

  /** A reader that does not read is disconnected instead of buffered for. */
  function write(frame: string): void {
    if (res.writableEnded || res.destroyed) return;
    if (res.writableLength > limits.eventBufferBytes) res.destroy();
    else res.write(frame);
  }

  function send(change: Change): void {
    if (change.seq <= sentSeq) return;
    sentSeq = change.seq;
    write(toFrame(change));
  }

  return {
    push(change) {
      if (held === undefined) send(change);
      else if (held.length < limits.eventReplayCount) held.push(change);
      else res.destroy();
    },
    async replay(missed, isCut) {
      if (isCut) write(resetFrame);
      for (const change of isCut ? [] : missed) {
        send(change);
        if (res.writableNeedDrain) await drained(res);
      }
      const waited = held ?? [];
      held = undefined;
      for (const change of waited) send(change);
    },
    beat: () => write(beatFrame),
    end() {
      if (!res.destroyed) res.end();
    },
  };
}

export interface EventStreams {
  /** Throws TOO_MANY_STREAMS before anything is written. */
  open(req: IncomingMessage, res: ServerResponse, caller: Caller): Promise<void>;
  readonly count: number;
  close(): void;
}

const streamHeaders = {
  ...securityHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Without this nginx would buffer the events.
  'x-accel-buffering': 'no',
};

/** The last `seq` the client saw; undefined for a new client. */
function lastSeqOf(req: IncomingMessage): number | undefined {
  const header = req.headers['last-event-id'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

export function createEventStreams(changes: ChangeFeed, limits: HttpLimits): EventStreams {
  const streams = new Map<EventStream, TenantId>();
  let heart: NodeJS.Timeout | undefined;

  function checkRoom(tenant: TenantId): void {
    if (streams.size >= limits.eventStreamsCount)
      throw httpFaults.TOO_MANY_STREAMS({ limit: limits.eventStreamsCount });
    let ofTenant = 0;
    for (const holder of streams.values()) if (holder === tenant) ofTenant += 1;
    if (ofTenant >= limits.eventStreamsPerTenantCount) {
      throw httpFaults.TOO_MANY_STREAMS({ limit: limits.eventStreamsPerTenantCount });
    }
  }

  function beatAll(): void {
    for (const stream of streams.keys()) stream.beat();
  }

  function forget(stream: EventStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(heart);
    heart = undefined;
  }

  return {
    get count() {
      return streams.size;
    },
    async open(req, res, { tenant }) {
      checkRoom(tenant);
      const lastSeq = lastSeqOf(req);
      const stream = createEventStream(res, lastSeq !== undefined, limits);
      streams.set(stream, tenant);
      heart ??= setInterval(beatAll, limits.heartbeatMs).unref();
      // Subscribe before the past is read, so that no change falls in between.
      const unsubscribe = changes.subscribe(tenant, (change) => stream.push(change));
      res.once('close', () => {
        unsubscribe();
        forget(stream);
      });
      res.writeHead(200, streamHeaders);
      res.write('retry: 2000\n\n');
      if (lastSeq === undefined) return;
      const missed = await changes.since(tenant, lastSeq, limits.eventReplayCount + 1);
      await stream.replay(missed, missed.length > limits.eventReplayCount);
    },
    close() {
      for (const stream of streams.keys()) stream.end();
    },
  };
}
