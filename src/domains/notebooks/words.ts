/** Both ids of this memory: safe in an address, a file name and a search document. */
export const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
