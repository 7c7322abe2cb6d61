import fc from 'fast-check';
import type { Database } from '../base/base-entries.ts';
import type { ServiceRequest } from './service-plan.ts';
import { fieldTypes } from './service-plan.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const signs = `${letters}${letters.toUpperCase()}0123456789_`;

const text = (alphabet: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength });

/** The prefix makes every name valid and not reserved. */
const fieldName = text(signs, 20).map((rest) => `f_${rest}`);

const field = fc.record(
  { name: fieldName, type: fc.constantFrom(...fieldTypes), required: fc.boolean(), unique: fc.boolean() },
  { requiredKeys: ['name', 'type'] },
);

/** Valid requests for a database. */
export const requestsFor = (database: Database): fc.Arbitrary<ServiceRequest> =>
  fc.record({
    name: text(`${letters}0123456789`, 20).map((rest) => `s${rest}`),
    database: fc.constant(database),
    fields: fc.uniqueArray(field, { minLength: 1, maxLength: 30, selector: ({ name }) => name.toLowerCase() }),
  });

/** Deterministic, with unique names. */
export function sampleRequests(database: Database, count: number): readonly ServiceRequest[] {
  const sampled = fc.sample(requestsFor(database), { numRuns: count, seed: 7 });
  return sampled.map((request, at) => ({ ...request, name: `${request.name}${at}` }));
}
