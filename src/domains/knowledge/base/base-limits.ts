/** Every bound of the base, unit last. */
export const baseLimits = {
  /** A larger file of a user's folder is reported and left out. */
  fileBytes: 8 * 1024 * 1024,
  /** Files of one folder beyond these are not looked at. */
  filesCount: 20_000,
} as const;
