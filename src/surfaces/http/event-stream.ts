import type { ServerResponse } from 'node:http';
import type { Change } from '#kernel/storage/port.ts';

/** A change as a server-sent event; its `id` is the seq that the client brings back as Last-Event-ID. */
const toFrame = (change: Change): string => `id: ${change.seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;

/** More was missed than is replayed: read anew what you show, then go on with what follows. */
const resetFrame = 'event: reset\ndata: {}\n\n';
const beatFrame = ': beat\n\n';

export interface EventStream {
  /** A live change. While a replay runs it waits its turn. */
  push(change: Change): void;
  /** What was missed, as fast as it is read, then what came meanwhile, each once. */
  replay(missed: readonly Change[], isCut: boolean): Promise<void>;
  beat(): void;
  end(): void;
}

/** Settles when there is room again, or nobody left to make it for. */
const drained = (res: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });

export interface EventStreamLimits {
  readonly eventBufferBytes: number;
  readonly eventReplayCount: number;
}

/** `isReplaying`: live changes are held back until `replay` is called. */
export function createEventStream(res: ServerResponse, isReplaying: boolean, limits: EventStreamLimits): EventStream {
  let held: Change[] | undefined = isReplaying ? [] : undefined;
  let sentSeq = 0;

  /** A reader that does not read is let go rather than waited for. */
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
