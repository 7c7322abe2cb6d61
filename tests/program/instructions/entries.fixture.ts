import { createHash } from 'node:crypto';

/** An entry as documented; the program fills missing fields. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly priority: number;
  readonly audience: string;
  readonly requirement: string;
  readonly categories: readonly string[];
  readonly sourceHash: string;
  readonly governanceHash: string;
  readonly priorityTier: string;
  readonly version: string;
  readonly status: string;
  readonly owner: string;
  readonly classification: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly schemaVersion: string;
  readonly semanticSummary: string;
  readonly riskScore: number;
  readonly reviewIntervalDays: number;
  readonly nextReviewDue: string;
  readonly changeLog: readonly { readonly version: string; readonly changedAt: string; readonly summary: string }[];
  readonly workspaceId?: string;
  readonly userId?: string;
  readonly teamIds?: readonly string[];
  readonly usageCount?: number;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const catalogHashOf = (entries: readonly { readonly id: string; readonly sourceHash: string }[]): string =>
  sha256(
    entries
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, sourceHash }) => `${id}:${sourceHash}`)
      .join('|'),
  );

export const entryInput = (
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  id,
  title: `Title of ${id}`,
  body: `Body of ${id}.`,
  priority: 50,
  audience: 'all',
  requirement: 'recommended',
  categories: ['fixture'],
  ...more,
});

/** Three files in the folder before the program starts. */
export const entryFiles: Readonly<Record<string, unknown>> = {
  'alpha.json': entryInput('alpha', {
    title: 'Alpha rule',
    body: 'Always rotate the deployment keys.\n\nSecond paragraph.',
    categories: ['ai_code_nav', 'Security'],
    priority: 10,
    requirement: 'mandatory',
    owner: 'platform',
  }),
  'beta.json': entryInput('beta', {
    title: 'Beta rule',
    body: 'Name branches after the ticket.',
    categories: ['git'],
    userId: 'ada',
  }),
  'gamma.json': entryInput('gamma', {
    title: 'Gamma rule',
    body: 'Prefer unbreakablewords in the gammafoo module.',
    categories: ['git', 'naming'],
    priority: 80,
    workspaceId: 'w1',
    teamIds: ['t1'],
  }),
};

export const entryIds = ['alpha', 'beta', 'gamma'] as const;
export const hexHash: RegExp = /^[0-9a-f]{64}$/;
export const isoTime: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
