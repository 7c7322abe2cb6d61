export const extractLimits = {
  /** Text that is read out of a file; what goes beyond is left. */
  textChars: 1_000_000,
  /** What the members of an archive may unpack to, all together. */
  unpackedBytes: 192 * 1024 * 1024,
  archiveMembersCount: 10_000,
  pagesCount: 2_000,
  rowsCount: 100_000,
  /** One file's reading, from the moment that the code is there. */
  extractWallMs: 30_000,
  extractThreadsCount: 2,
  extractHeapMb: 512,
  /** All that one process may take. */
  extractMemoryMb: 896,
  /** Of one page or picture by the program that recognises text. */
  recogniseWallMs: 25_000,
  recogniseCpuS: 25,
  recogniseMemoryMb: 1_024,
} as const;
