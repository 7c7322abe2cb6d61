import type { Capability } from '../capabilities/capability.ts';

/** A fact is a payload like others, so its provenance is too. */
export const factCapability: Capability = {
  capability_id: 'fourfold:store_fact:v1',
  primary_type: 'fact',
  hash_fields: ['subject', 'entity_id', 'fields', 'relations', 'ended'],
  natural_key: [],
  extract: [],
};
