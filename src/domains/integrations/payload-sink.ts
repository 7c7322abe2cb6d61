import type { Call } from '#kernel/call.ts';
import type { Json } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';

/** What arrived from outside, in the form of submit_payload. */
export interface IncomingPayload {
  readonly capability_id: string;
  readonly body: Readonly<Record<string, Json | undefined>>;
  readonly provenance: {
    readonly source_refs: string[];
    /** From the source, not the time of the import: a payload that is delivered twice then adds nothing. */
    readonly extracted_at: string;
    readonly extractor_version: string;
    readonly agent_id?: string;
  };
  readonly effective_at?: string;
}

export interface SinkAnswer {
  readonly created: boolean;
  readonly observations_added: number;
}

/** Where payloads from outside go: the memory of facts. */
export interface PayloadSink {
  /**
   * All or none. `after` runs in the same transaction, so that what it saves, such as the place in the source, is
   * stored if and only if the payloads are.
   */
  submit(
    payloads: readonly IncomingPayload[],
    call: Call,
    after?: (db: Writer, answers: readonly SinkAnswer[]) => Work<void>,
  ): Promise<readonly SinkAnswer[]>;
  /** Throws the fault with which `submit` would reject one of them. */
  check(payloads: readonly IncomingPayload[], call: Call): Promise<void>;
}
