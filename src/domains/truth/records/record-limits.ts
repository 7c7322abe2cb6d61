/** Every bound of records, unit last. */
export const recordLimits = {
  /** Of a record's properties as JSON, also after an update has been merged in. */
  propertiesBytes: 1024 * 1024,
  propertiesDepth: 32,
  /** At the top level: each is a row that filters find. */
  propertiesCount: 1_000,
  typeChars: 200,
  recordIdChars: 200,
  recordFilesCount: 100,
  fileUrlChars: 2_000,
  embeddingNumbersCount: 4_096,
  termsCount: 20,
  termChars: 500,
  /** Properties that one question filters by. */
  filtersCount: 20,
  recordsDefaultCount: 10,
  /** What a search ranks: the best of each kind, up to here. */
  rankedCount: 1_000,
  /** A property that more records have is no help in finding few of them. */
  selectiveCount: 1_000,
  /** A record with more properties is found by filters all the same, only not narrowed down by the indexes. */
  facetsCount: 64,
  facetBucketsCount: 4_096,
  /** Text of one record that is searched. */
  recordTextChars: 128 * 1024,
  /** What the records of one answer may weigh; at least one comes in any case. */
  recordsAnswerBytes: 4 * 1024 * 1024,
  /** Who finds fewer is told what is not embedded yet. */
  fewRecordsCount: 3,
  /** Records read at once when something is made anew. */
  readRecordsCount: 50,
  listedRecordsCount: 1_000,
  /** What embeddings that came with records may hold in memory. */
  ownVectorBytes: 64 * 1024 * 1024,
  /** Deletions after which notes about them are looked at. */
  tidyEveryCount: 500,
} as const;
