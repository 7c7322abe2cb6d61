import type { Migration } from '#kernel/storage/migration.ts';

/** Change log and audit chain (one table), idempotency keys, trash, leases. */
export const kernelTables: Migration = {
  id: 1,
  name: 'kernel',
  tenantTables: ['changes', 'audit_heads', 'idempotency', 'trash'],
  privateTables: ['changes', 'audit_heads', 'idempotency'],
  up: (d) => [
    `create table changes (
      tenant ${d.text} not null, seq ${d.integer} not null, topic ${d.text} not null, id ${d.text} not null,
      what ${d.text} not null, hash ${d.text} not null, actor ${d.text} not null, tool ${d.text} not null,
      at ${d.integer} not null, mac ${d.text} not null,
      primary key (tenant, seq)
    ) ${d.table}`,
    'create index changes_by_topic on changes (tenant, topic, seq)',
    `create table audit_heads (
      tenant ${d.text} not null primary key, seq ${d.integer} not null, mac ${d.text} not null
    ) ${d.table}`,
    `create table idempotency (
      tenant ${d.text} not null, key ${d.text} not null, request_hash ${d.text} not null, answer ${d.text} not null,
      at ${d.integer} not null,
      primary key (tenant, key)
    ) ${d.table}`,
    'create index idempotency_by_age on idempotency (tenant, at)',
    `create table trash (
      tenant ${d.text} not null, topic ${d.text} not null, id ${d.text} not null, document ${d.text} not null,
      actor ${d.text} not null, at ${d.integer} not null,
      primary key (tenant, topic, id, at)
    ) ${d.table}`,
    'create index trash_by_age on trash (tenant, at)',
    `create table leases (
      name ${d.text} not null primary key, holder ${d.text} not null, until ${d.integer} not null
    ) ${d.table}`,
  ],
};
