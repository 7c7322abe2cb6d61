import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import type { OutboundRequest } from '#kernel/outbound/redirect.ts';
import { integrationLimits } from './integration-limits.ts';

export interface ServiceDeps {
  readonly outbound: Outbound;
  readonly url: string;
  readonly timeoutMs?: number | undefined;
}

interface ServiceFaults {
  failed(why: string): Fault;
  unavailable(why: string, options?: ErrorOptions): Fault;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Statuses of a server or proxy that cannot answer now. */
const unavailableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/**
 * Asks a service that the operator configured, at a path below its address. Repeats nothing that it answers: its texts may
 * contain anything.
 */
export function createQueryService({ outbound, url, timeoutMs }: ServiceDeps, { failed, unavailable }: ServiceFaults) {
  const base = url.replace(/\/$/, '');

  async function send(path: string, request: OutboundRequest, signal: AbortSignal) {
    try {
      return await outbound.request(`${base}/${path}`, request, {
        signal,
        bytesMax: integrationLimits.serviceAnswerBytes,
        timeoutMs: timeoutMs ?? integrationLimits.serviceTimeoutMs,
      });
    } catch (error) {
      if (!(error instanceof Fault) || signal.aborted) throw error;
      if (error.code === faults.RESOURCE_LIMIT.kind.code) throw failed('its answer is too large');
      throw unavailable(error.message, { cause: error });
    }
  }

  return async function ask(path: string, request: OutboundRequest, signal: AbortSignal): Promise<ServiceAnswer> {
    const { status, body } = await send(path, request, signal);
    if (unavailableStatuses.has(status)) throw unavailable(`it answered with status ${status}`);
    if (status === 401 || status === 403) throw failed(`it refused the credentials (status ${status})`);
    const json = parseJson(body);
    if (json === undefined) throw failed(`its answer (status ${status}) is not JSON; is the address right?`);
    return { status, json };
  };
}
