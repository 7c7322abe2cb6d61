/** One sentence per background job, for people. */
export const aboutJobs: Readonly<Record<string, string>> = {
  'sweep-keys': 'Deletes expired idempotency keys.',
  'sweep-trash': 'Deletes trash after the restore period.',
  'audit-checkpoint': 'Saves the heads of the audit chains outside the database.',
  'search-maintenance': 'Merges small parts of the keyword indexes.',
  scrub: 'Compares all content with its hashes.',
  'resume-syncs': 'Continues connector runs that another process left open.',
  'sweep-analytics': 'Deletes old usage figures.',
  'notebook-purge': 'Deletes the cells of scratchpads that can no longer be restored.',
  'notebook-preempt': 'Removes scratchpads under the policy preempt.',
  'knowledge-sweep': 'Deletes the pages of removed libraries after the restore period.',
  'sweep-files': 'Deletes files that no record refers to.',
  'refresh-truth': 'Updates entities whose facts begin or end with time.',
  'finish-forgetting': 'Removes the bytes of what was forgotten from the files of the store.',
  'index-entities': 'Updates the search index of entities.',
};
