import { accessLimits } from './access-limits.ts';

/** A tenant names folders and rows: letters, digits, dot, dash and underscore, and never a path. */
export const isTenantText = (text: string): boolean =>
  text.length <= accessLimits.tenantChars && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text);
