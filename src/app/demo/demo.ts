import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOfTenant } from '#domains/instructions/catalog/files/folder-names.ts';
import { tenantFolder } from '#domains/truth/files/file-blobs.ts';
import type { Access } from '#kernel/access/access.ts';
import { tenantTopic } from '#kernel/audit/item-changes.ts';
import { type Call, type TenantId, toTenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { listTenants } from '#kernel/jobs/tenants.ts';
import type { ChangeKind, Storage } from '#kernel/storage/port.ts';
import { removeTenantRows } from '#kernel/storage/remove-tenant.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { migrations } from '#migrations/all.ts';
import { homeNames } from '../admin/home-layout.ts';
import { tenantsFolderOf } from '../instructions.ts';
import { fillCompany } from './demo-company.ts';

export interface DemoDeps {
  readonly home: string;
  readonly storage: Storage;
  readonly access: () => Pick<Access, 'createLink' | 'listKeys' | 'revokeKey'>;
  readonly invoke: Invoke;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Other tenants are not named like this, so nothing else is removed. */
const demoName = /^demo-[0-9a-f]{12}$/;

const removalDeadlineMs = 30_000;

/** An example company in a tenant of its own, and its removal. */
export function createDemo({ home, storage, access, invoke, clock, ids }: DemoDeps) {
  const findDemo = async (): Promise<TenantId | undefined> =>
    (await listTenants(storage)).find((name) => demoName.test(name));

  /** In the trail of the operator: that of the example company is removed with it. */
  const note = (tenant: TenantId, what: ChangeKind, call: Call) =>
    storage.write(call, (db) => db.changed(tenantTopic, tenant, what, sha256Hex(tenant)));

  async function remove(tenant: TenantId): Promise<number> {
    // Deleting the rows would end sign-ins only when they are looked up again.
    for (const { id, revokedAt } of await access().listKeys(tenant))
      if (revokedAt === undefined) await access().revokeKey(tenant, id);
    const call = () => systemCall('demo/remove', { tenant, deadlineAt: clock.now() + removalDeadlineMs });
    const count = await removeTenantRows({ storage, migrations, call });
    const folders = [
      folderOfTenant(tenant, { folder: '', tenantsFolder: tenantsFolderOf(home) }),
      join(home, homeNames.blobs, tenantFolder(tenant)),
    ];
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    return count;
  }

  async function fill(tenant: TenantId, { signal }: Call): Promise<number> {
    let count = 0;
    await fillCompany(async (actor, name, args) => {
      count += 1;
      const outcome = await invoke({
        name,
        args,
        caller: { tenant, actor, scopes: new Set(['admin']) },
        surface: 'cli',
        signal,
      });
      if (!outcome.ok) throw outcome.fault;
      const value = outcome.value as Readonly<Record<string, unknown>>;
      // Some tools answer a refused item with a result.
      if (value['error'] !== undefined)
        throw new Error(`bug: ${name} refused the example: ${JSON.stringify(value['error'])}`);
      return value;
    });
    return count;
  }

  return {
    async create(call: Call) {
      const existing = await findDemo();
      if (existing !== undefined) {
        const fix = 'fourfold link signs a browser in to it; fourfold demo remove or the tool demo/remove removes it.';
        throw faults.CONFLICT(
          { why: `The example company exists already, as the tenant ${existing}` },
          { tenant: existing, fix },
        );
      }
      // A new name each time: caches and checkpoints of an earlier one must not apply.
      const tenant = toTenantId(`demo-${ids.uuid().slice(-12)}`);
      try {
        const calls_count = await fill(tenant, call);
        await note(tenant, 'create', call);
        const { text } = await access().createLink({ tenant, scopes: ['admin'] });
        return { tenant, calls_count, sign_in: text };
      } catch (error) {
        await remove(tenant);
        throw error;
      }
    },

    async remove(call: Call) {
      const tenant = await findDemo();
      if (tenant === undefined) return { removed: false as const };
      await note(tenant, 'delete', call);
      return { removed: true as const, tenant, rows_count: await remove(tenant) };
    },
  };
}
