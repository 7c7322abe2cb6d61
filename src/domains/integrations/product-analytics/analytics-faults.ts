import { defineFaults, fault } from '#kernel/fault/fault.ts';

/** Codes of section 3.14 of the document. */
export const analyticsFaults = defineFaults({
  ANALYTICS_QUERY_FAILED: fault({
    rpc: -32603,
    http: 500,
    retryable: true,
    say: (p: { service: string; why: string }) => `The query to ${p.service} failed: ${p.why}`,
    fix: 'Call again with a shorter time_range. If it keeps failing, check the address, project and key in the settings.',
  }),
  ANALYTICS_SERVICE_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { service: string; why: string }) => `${p.service} is not available: ${p.why}`,
    fix: 'Call again later. Without a configured service the tool answers from the events of this store.',
  }),
});

export const serviceFaultsOf = (service: string) => ({
  failed: (why: string) => analyticsFaults.ANALYTICS_QUERY_FAILED({ service, why }),
  unavailable: (why: string, options?: ErrorOptions) =>
    analyticsFaults.ANALYTICS_SERVICE_UNAVAILABLE({ service, why }, {}, options),
});
