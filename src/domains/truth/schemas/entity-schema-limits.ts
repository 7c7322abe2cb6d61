/** Bounds of entity types and of what their fields take. */
export const entitySchemaLimits = {
  fieldsCount: 200,
  descriptionChars: 500,
  /** Of one version as JSON; all versions of a type are one answer. */
  definitionBytes: 32 * 1024,
  typeVersionsCount: 50,
  tenantSchemasCount: 1_000,
  /** Of one element of a merged array: an array of many sources stays in one row. */
  elementBytes: 4_096,
  /** Schemas of tenants that are held parsed. */
  parsedSchemasCount: 256,
} as const;
