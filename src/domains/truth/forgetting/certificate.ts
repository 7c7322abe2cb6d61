import { z } from 'zod';
import type { Answer } from '../entities/entity-model.ts';
import { toIso } from '../iso-time.ts';
import type { ForgettingRow } from './certificate-store.ts';
import { removedKinds } from './removal.ts';

const counts = z.object(
  Object.fromEntries(removedKinds.map((kind) => [kind, z.int()])) as Record<(typeof removedKinds)[number], z.ZodInt>,
);

/** Stored with the forgetting. HMACs and counts only. */
export const certificateDocument = z.object({
  kind: z.enum(['entity', 'source']),
  subject: z.string().describe('HMAC of the id: shows which one it was to those who know the id and have the key'),
  by: z.string().describe('HMAC of the actor'),
  removed: counts.describe('How many of each'),
  blanked_sources: z.int().describe('Payloads and records that stay, without the fields about it'),
  mentions_found: z.int().describe('Other texts of this memory that contain one of its names'),
  mentions_removed: z.boolean(),
  redacted_audit_rows: z.int(),
});
export type CertificateDocument = z.infer<typeof certificateDocument>;

export const certificate = certificateDocument.extend({
  certificate_id: z.string(),
  forgotten_at: z.string(),
  status: z.enum(['pending', 'complete']).describe('pending: some bytes are still in the files of the store'),
  completed_at: z.string().optional(),
  pending: z.array(z.string()).describe('What is left to do'),
  not_reached: z.array(z.string()).describe('Where copies may be that this program cannot remove'),
});
export type Certificate = Answer<typeof certificate>;

/** The same for every store: what has left the program cannot be called back. */
const notReached = [
  'backups made before it was forgotten: delete them; fourfold restore forgets again what they bring back',
  'exports made before, and files written by truth export',
  'archived write-ahead logs and replicas of the database, and snapshots of the disk',
  'texts in scratchpads, instructions, knowledge and feedback',
  'the conversations of agents, and logs outside the data folder',
] as const;

const unfinishedWork = {
  search: 'the search index is being written again; a job does that within minutes',
  bytes: 'the files of the store still contain freed pages or log entries; a job removes them within minutes',
  database: 'the files of the database still contain deleted rows: the operator has to run fourfold truth purge',
} as const;

export function toCertificate(
  { certificate_id, forgotten_at, completed_at, document }: ForgettingRow,
  isLocal: boolean,
  isSearchDone: boolean,
): Certificate {
  const isComplete = completed_at !== null;
  const bytes = isLocal ? unfinishedWork.bytes : unfinishedWork.database;
  return {
    certificate_id,
    forgotten_at: toIso(forgotten_at),
    status: isComplete ? 'complete' : 'pending',
    ...(isComplete && { completed_at: toIso(completed_at) }),
    ...(JSON.parse(document) as CertificateDocument),
    pending: isComplete ? [] : [...(isSearchDone ? [] : [unfinishedWork.search]), bytes],
    not_reached: notReached,
  };
}
