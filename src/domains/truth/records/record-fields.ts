import { z } from 'zod';
import { isObject } from '#kernel/json/is-object.ts';
import { truthLimits } from '../truth-limits.ts';
import type { ShownRecord } from './record.ts';

const { typeChars, recordFilesCount, fileUrlChars, embeddingNumbersCount, recordIdChars } = truthLimits;

/** Any text: one that names no record is not found. */
export const recordId = z.string().min(1).max(recordIdChars);

export const recordType = z.string().max(typeChars).regex(/\S/, 'must not be blank');

/** The map itself goes on, not a parser's copy: that one leaves a key called `__proto__` out without a word. */
export const propertyMap = z
  .custom<Readonly<Record<string, unknown>>>(isObject, { error: 'must be object' })
  .meta({ type: 'object', additionalProperties: true });

export const fileUrls = z.array(z.string().min(1).max(fileUrlChars)).max(recordFilesCount);

export const embedding = z.array(z.number()).min(1).max(embeddingNumbersCount);

type Properties = ShownRecord['properties'];

export const shownRecord = z.object({
  id: z.string(),
  type: z.string(),
  properties: z.custom<Properties>(isObject).meta({ type: 'object', additionalProperties: true }),
  file_urls: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
