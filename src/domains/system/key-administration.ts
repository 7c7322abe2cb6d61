import type { Access } from '#kernel/access/access.ts';
import type { ApiKey } from '#kernel/access/api-key-store.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import { type Clock, toIso } from '#kernel/clock/clock.ts';
import { type Cursors, cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { fitPage } from '#kernel/text/budget.ts';
import { credentialOf } from './rules/name-actors.ts';
import { chooseTenant } from './rules/operator.ts';
import type { KeysCreateInput } from './tools/keys-create.ts';
import type { KeysListInput } from './tools/keys-list.ts';
import type { KeysRevokeInput } from './tools/keys-revoke.ts';

const dayMs = 86_400_000;
const listTool = 'keys/list';

export interface KeyAdministrationDeps {
  readonly access: () => Access;
  readonly cursors: () => Cursors;
  readonly clock: Clock;
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

/** The keys of a tenant, for its admins; the operator may name any tenant. */
export function createKeyAdministration({ access, cursors, clock }: KeyAdministrationDeps) {
  function show(key: ApiKey, tenant: TenantId, { tenant: own, actor }: Call) {
    const { id, name, scopes, purpose, parent, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
    const { kind, id: usedId } = credentialOf(actor);
    return {
      id,
      name,
      scopes,
      purpose,
      ...(parent !== undefined && { parent }),
      state: stateOf(key, clock.now()),
      isCaller: tenant === own && kind === 'key' && usedId === id,
      createdAt: toIso(createdAt),
      ...(expiresAt !== undefined && { expiresAt: toIso(expiresAt) }),
      ...(revokedAt !== undefined && { revokedAt: toIso(revokedAt) }),
      ...(lastUsedAt !== undefined && { lastUsedAt: toIso(lastUsedAt) }),
    };
  }

  /** The cursor contains the id of the last key shown. */
  function startOf(keys: readonly ApiKey[], tenant: TenantId, cursor: string | undefined): number {
    if (cursor === undefined) return 0;
    const after = cursors().open(listTool, tenant, cursor);
    const at = keys.findIndex(({ id }) => id === after);
    if (at === -1) throw faults.INVALID_PARAMS({ why: 'the list has changed' }, { field: 'cursor', fix: cursorFix });
    return at + 1;
  }

  return {
    async list({ tenant: wanted, purpose, limit, cursor }: KeysListInput, call: Call) {
      const tenant = chooseTenant(call, wanted);
      const all = await access().listKeys(tenant);
      const keys = purpose === undefined ? all : all.filter((key) => key.purpose === purpose);
      const start = startOf(keys, tenant, cursor);
      const { items } = fitPage(keys.slice(start, start + limit).map((key) => show(key, tenant, call)));
      const last = items.at(-1);
      const hasMore = last !== undefined && start + items.length < keys.length;
      return { tenant, keys: items, ...(hasMore && { nextCursor: cursors().seal(listTool, tenant, last.id) }) };
    },

    /** The text of the key must not be stored, so a repeated request could not get the same answer. */
    async create({ tenant: wanted, name, scopes, expiresDays }: KeysCreateInput, call: Call) {
      if (call.idempotencyKey !== undefined) {
        throw faults.INVALID_PARAMS({ why: 'the text of a key is shown once, so this tool takes no idempotency key' });
      }
      const tenant = chooseTenant(call, wanted);
      const expiresAt = expiresDays === undefined ? undefined : clock.now() + expiresDays * dayMs;
      const { text, key } = await access().createKey({ tenant, name, scopes, expiresAt, actor: call.actor });
      return { key: text, tenant, ...show(key, tenant, call) };
    },

    async revoke({ tenant: wanted, id }: KeysRevokeInput, call: Call) {
      const tenant = chooseTenant(call, wanted);
      return { tenant, ...show(await access().revokeKey(tenant, id, call.actor), tenant, call) };
    },
  };
}
