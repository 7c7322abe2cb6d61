/** Bounds of the schemas that a pad's cells share. */
export const schemaLimits = {
  /** Of the JSON text of one schema. */
  schemaBytes: 1024 * 1024,
  /** Of all schemas of a pad: the list of them is one answer. */
  padSchemasBytes: 4 * 1024 * 1024,
  padSchemasCount: 256,
  idChars: 128,
  nameChars: 200,
  descriptionChars: 2_000,
  insertRowsCount: 32,
  /** Of one answer; the first ones tell enough. */
  warningsCount: 20,
} as const;
