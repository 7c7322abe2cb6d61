/** For pad and cell ids: safe in a URI, a file name and the id of a search document. */
export const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** `scratchpad://schemas/<name>` refers to a schema, so no pad may have this id. */
export const reservedId = 'schemas';

export const isScratchId = (text: unknown): text is string =>
  typeof text === 'string' && text !== reservedId && idPattern.test(text);
