import { cliFaults } from '#kernel/fault/cli-faults.ts';
import type { Field } from './field.ts';

export type Nearest = (word: string, candidates: Iterable<string>) => string | undefined;

/** Reads the text of one value. Throws USAGE_ERROR. */
export function readScalar(field: Field, text: string, nearest: Nearest): unknown {
  const wrong = (expected: string) =>
    cliFaults.USAGE_ERROR({ why: `--${field.flag}: ${JSON.stringify(text)} is not ${expected}` });
  switch (field.kind) {
    case 'text':
      if (field.choices !== undefined && !field.choices.includes(text)) {
        throw wrong(`one of ${field.choices.join(', ')}; did you mean ${nearest(text, field.choices)}?`);
      }
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrong('true or false');
    case 'integer':
    case 'number': {
      const n = text.trim() === '' ? Number.NaN : Number(text);
      if (!Number.isFinite(n) || (field.kind === 'integer' && !Number.isInteger(n))) {
        throw wrong(field.kind === 'integer' ? 'an integer' : 'a number');
      }
      return n;
    }
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        throw wrong('JSON');
      }
    case 'any':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}
