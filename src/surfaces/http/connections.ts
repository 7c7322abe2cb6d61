import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MetricSource } from './metrics.ts';

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface Connections {
  /** Connections that have not sent a request yet. */
  silent(): readonly Socket[];
  /** A request has begun. */
  began(req: IncomingMessage, res: ServerResponse): void;
  /** The client has a valid key: its connection is never closed in favour of another. */
  prove(socket: Socket): void;
  readonly metrics: readonly MetricSource[];
}

/** The client has not finished a request, or not even begun one. */
const isWaiting = (exchange: Exchange | undefined): boolean => exchange === undefined || !exchange.req.complete;

/** The last answer has been sent, and no other request has begun. */
const isIdle = (exchange: Exchange | undefined): boolean => exchange?.res.writableFinished === true;

/**
 * Counts the connections. At the limit, the oldest one without a complete request makes place for a new one, or else the
 * oldest idle one; without this, silent connections would keep all other clients out until they time out.
 */
export function limitConnections(server: Server, maxCount: number): Connections {
  /** In the order of arrival, with the last request. */
  const unproven = new Map<Socket, Exchange | undefined>();
  const proven = new Set<Socket>();
  let closedCount = 0;
  let refusedCount = 0;

  function findVictim(): Socket | undefined {
    let idle: Socket | undefined;
    for (const [socket, exchange] of unproven) {
      if (isWaiting(exchange)) return socket;
      if (idle === undefined && isIdle(exchange)) idle = socket;
    }
    return idle;
  }

  function makePlace(): boolean {
    const victim = findVictim();
    if (victim === undefined) return false;
    unproven.delete(victim);
    victim.destroy();
    closedCount += 1;
    return true;
  }

  server.on('connection', (socket) => {
    if (unproven.size + proven.size >= maxCount && !makePlace()) {
      refusedCount += 1;
      socket.destroy();
      return;
    }
    unproven.set(socket, undefined);
    socket.once('close', () => {
      unproven.delete(socket);
      proven.delete(socket);
    });
  });

  return {
    silent: () => [...unproven].flatMap(([socket, exchange]) => (exchange === undefined ? [socket] : [])),
    began(req, res) {
      if (unproven.has(req.socket)) unproven.set(req.socket, { req, res });
    },
    prove(socket) {
      if (unproven.delete(socket)) proven.add(socket);
    },
    metrics: [
      {
        name: 'fourfold_http_connections',
        help: 'Open HTTP connections; authenticated: a request on it had a valid key.',
        kind: 'gauge',
        label: 'state',
        read: () =>
          new Map([
            ['authenticated', proven.size],
            ['other', unproven.size],
          ]),
      },
      {
        name: 'fourfold_http_connections_refused_total',
        help: 'Connections closed at the limit; replaced: an old one for a new one, refused: the new one.',
        kind: 'counter',
        label: 'action',
        read: () =>
          new Map([
            ['replaced', closedCount],
            ['refused', refusedCount],
          ]),
      },
    ],
  };
}
