import { delimiter } from 'node:path';
import type { LoadedSettings } from '#config/load-settings.ts';
import { describeSettings } from '#config/render-settings.ts';
import type { Settings } from '#config/settings.ts';
import type { Instructions } from '#domains/instructions/instructions.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import type { OperationPorts } from '#domains/system/operations.ts';
import type { SystemDeps } from '#domains/system/system.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { listTenants, listTenantsAfter } from '#kernel/jobs/tenants.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import { type Card, isCommandOnly } from '#kernel/tool/card.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import { createChangeLookup, createItemNames } from './change-lookup.ts';
import { findStoreProblem } from './open-storage.ts';
import { createOverviewPorts, type OverviewParts } from './overview.ts';

type Shared = 'version' | 'permits' | 'meter' | 'features' | 'access' | 'audit' | 'cursors' | 'clock' | 'log';

export interface SystemParts
  extends Pick<SystemDeps, Shared>,
    Pick<OperationPorts, 'embedding'>,
    Omit<OverviewParts, 'instructions' | 'truth' | 'storeProblem'> {
  readonly instructions: () => Promise<Instructions>;
  readonly notebooks: () => Promise<Notebooks>;
  readonly truth: () => Promise<Truth>;
  readonly settings: Settings;
  readonly provenance: Partial<LoadedSettings['provenance']>;
  readonly cards: readonly Card[];
  readonly storage: OnDemandStorage;
  readonly keys: () => Keys;
  readonly recordsEvents: boolean;
  readonly invoke: Invoke;
  readonly ids: Ids;
}

export function toSystemDeps(parts: SystemParts): SystemDeps {
  const { settings, provenance, cards, storage, version } = parts;
  const storeProblem = () => findStoreProblem(storage, settings.readOnly);
  return {
    ...parts,
    overview: createOverviewPorts({ ...parts, storeProblem }),
    cards: cards.filter((card) => !isCommandOnly(card)),
    commandCards: cards.filter(isCommandOnly),
    enabled: { auth: settings.auth, semanticSearch: settings.semanticSearch, analytics: parts.recordsEvents },
    tenants: () => listTenants(storage),
    tenantsAfter: (name, limit) => listTenantsAfter(storage, name, limit),
    storeProblem,
    async vectorOf(call, query) {
      const { semantic } = await parts.search();
      const { missing } = await semantic.assess(query.text);
      return missing === undefined ? semantic.vectorOf(call, query) : undefined;
    },
    changeOf: createChangeLookup(parts),
    nameItems: createItemNames(parts),
    settings: () => describeSettings(settings, provenance, delimiter),
    schemaVersion: async () => (await import('#migrations/all.ts')).migrations.at(-1)?.id ?? 0,
    async createBackup(input, { signal, progress }) {
      const { runBackup } = await import('./admin/backup/backups.ts');
      return runBackup({ ...parts, program: version }, { ...input, signal, progress });
    },
    async listBackups() {
      return (await import('./admin/backup/backups.ts')).listBackups(settings);
    },
    async demo() {
      const { createDemo } = await import('./demo/demo.ts');
      return createDemo({ ...parts, home: settings.home, storage: await storage.opened() });
    },
  };
}
