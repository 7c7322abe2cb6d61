/** An id is also a file name: no dot, no slash, and no upper case, because some file systems ignore case. */
export const instructionIdPattern = /^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$/;

/** Reserved because their files would be mistaken for the gates, owners or criteria file, or for a Windows device. */
export const reservedIds: ReadonlySet<string> = new Set([
  ...['gates', 'owners', 'prompt-criteria', 'con', 'prn', 'aux', 'nul'],
  ...Array.from({ length: 10 }, (_, n) => [`com${n}`, `lpt${n}`]).flat(),
]);

/** The topic of the change log, the trash and search. */
export const instructionTopic = 'instruction';

/** Used instead of an id when entries changed without a tool, such as by an import. It is not a valid id. */
export const anyInstruction = '*';
