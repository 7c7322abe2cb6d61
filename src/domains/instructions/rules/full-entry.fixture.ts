import { type InstructionInput, instructionEntry } from '../entry-model.ts';

/** Recomputed on every write, or stored elsewhere. */
const computed = ['sourceHash', 'governanceHash', 'priorityTier', 'riskScore', 'usageCount', 'lastUsedAt'] as const;
/** The history of an entry continues whatever is written. */
const historic = ['createdAt', 'createdByAgent', 'sourceWorkspace', 'version', 'changeLog', 'updatedAt'] as const;
const key = ['id', 'body'] as const;

type KeptField = Exclude<keyof InstructionInput, (typeof computed | typeof historic | typeof key)[number]>;

/** A value other than the default for every field that an overwrite keeps. A new field of the model must be added here. */
export const keptFields: Required<Pick<InstructionInput, KeptField>> = {
  title: 'A full rule',
  rationale: 'why',
  description: 'what it is about',
  examples: ['do this'],
  tags: ['t'],
  priority: 33,
  audience: 'group',
  requirement: 'recommended',
  categories: ['git'],
  dependencies: ['other'],
  appliesTo: { files: ['src/**'], always: false },
  arguments: [{ name: 'topic', required: true }],
  schemaVersion: '3',
  status: 'review',
  owner: 'platform',
  classification: 'restricted',
  lastReviewedAt: '2026-01-02T00:00:00.000Z',
  nextReviewDue: '2026-09-01T00:00:00.000Z',
  reviewIntervalDays: 77,
  supersedes: 'older',
  deprecatedBy: 'newer',
  workspaceId: 'shop',
  userId: 'ada',
  teamIds: ['core'],
  semanticSummary: 'written by a person',
  extensions: { colour: 'red' },
};

export const keptFieldNames = Object.keys(instructionEntry.shape).filter(
  (field) => !([...computed, ...historic, ...key] as readonly string[]).includes(field),
) as KeptField[];
