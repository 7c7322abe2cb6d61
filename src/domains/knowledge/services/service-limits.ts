/** PostgreSQL cuts a name at 63 bytes: a table, its columns and the names of its indexes stay below. */
export const serviceLimits = {
  nameChars: 50,
  fieldNameChars: 60,
  fieldsCount: 100,
  /** A unique text has to fit into one entry of an index, which PostgreSQL bounds at 2,704 bytes. */
  uniqueTextChars: 255,
  databaseNameChars: 63,
  /** MongoDB has at most 64 indexes a collection, one of them for the key. */
  mongodbUniqueCount: 63,
  /** Of an array or object inside a record. MongoDB keeps a hundred, and Feathers walks through an answer by recursion. */
  jsonDepthCount: 50,
} as const;
