/** Names a file and nothing else: no dot, no slash, no upper case that some disks fold. */
export const instructionIdPattern = /^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$/;

/** The topic of changes, trash and search. */
export const instructionTopic = 'instruction';
