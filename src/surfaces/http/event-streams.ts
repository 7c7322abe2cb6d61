import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, TenantId } from '#kernel/call.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import type { ChangeFeed } from './http-deps.ts';
import type { HttpLimits } from './http-limits.ts';
import { securityHeaders } from './security-headers.ts';

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
  // nginx would hold events back to fill its buffer.
  'x-accel-buffering': 'no',
};

/** The `seq` a client saw last, or undefined when it is new here. */
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
      // Subscribed before the past is read: nothing can fall between the two.
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
