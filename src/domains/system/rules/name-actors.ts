import type { Access } from '#kernel/access/access.ts';
import { localTenant, type TenantId } from '#kernel/call.ts';

/** How a caller proved who it is. `local`: a process on this machine, or a server without authentication. */
export type CredentialKind = 'key' | 'token' | 'oauth' | 'local';

const prefixes = { key: 'key:', token: 'token:', oauth: 'oauth:' } as const;

export function credentialOf(actor: string): { readonly kind: CredentialKind; readonly id: string } {
  for (const kind of ['key', 'token', 'oauth'] as const) {
    if (actor.startsWith(prefixes[kind])) return { kind, id: actor.slice(prefixes[kind].length) };
  }
  return { kind: 'local', id: actor };
}

export type NameActor = (actor: string) => string;

const operatorName = 'operator';

/**
 * Names for the actors of one tenant: a key has the name that it was given, a token of an authorization server its
 * subject. A key of the operator has no name in other tenants. An actor without a name is shown as recorded.
 */
export async function nameActors(
  { listKeys }: Pick<Access, 'listKeys'>,
  tenant: TenantId,
  actors: readonly string[],
): Promise<NameActor> {
  const ids = new Set(actors.map(credentialOf).flatMap(({ kind, id }) => (kind === 'key' ? [id] : [])));
  const names = new Map((ids.size > 0 ? await listKeys(tenant) : []).map(({ id, name }) => [id, name]));
  if (tenant !== localTenant && [...ids].some((id) => !names.has(id))) {
    for (const { id } of await listKeys(localTenant)) if (!names.has(id)) names.set(id, operatorName);
  }
  return (actor) => {
    const { kind, id } = credentialOf(actor);
    if (kind === 'key') return names.get(id) ?? actor;
    return kind === 'oauth' ? id : actor;
  };
}
