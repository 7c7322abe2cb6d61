/** Names a file and nothing else: no dot, no slash, no upper case that some disks fold. */
export const instructionIdPattern = /^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$/;

/**
 * Ids that nobody may give: their files would be taken for the gates, owners and criteria that lie in the same folder, or,
 * on Windows, for a device.
 */
export const reservedIds: ReadonlySet<string> = new Set([
  ...['gates', 'owners', 'prompt-criteria', 'con', 'prn', 'aux', 'nul'],
  ...Array.from({ length: 10 }, (_, n) => [`com${n}`, `lpt${n}`]).flat(),
]);

/** The topic of changes, trash and search. */
export const instructionTopic = 'instruction';

/** In the place of an id: entries came past the tools, as an import brings them. No entry can be called so. */
export const anyInstruction = '*';
