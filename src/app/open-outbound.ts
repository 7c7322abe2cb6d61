import type { Outbound } from '#kernel/outbound/outbound.ts';

/** For an address that the operator configured: it may be on this machine. */
export async function openOutbound(url: string): Promise<Outbound> {
  const { createOutbound } = await import('#kernel/outbound/outbound.ts');
  return createOutbound({ allow: [new URL(url).hostname] });
}
