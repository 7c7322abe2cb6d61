export const mergeLimits = {
  /** Entities in one group, and how deep they may lie: whoever observes the deepest goes all the way up. */
  groupCount: 500,
  groupDepth: 32,
  /** Keys whose entities are looked up together, and how many are looked at for one page. */
  lookedUpKeysCount: 20,
  examinedKeysCount: 1_000,
  /** Entities that are shown for one key. */
  alikeCount: 20,
} as const;
