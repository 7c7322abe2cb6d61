/** Where a change was made: one of the memories, or what surrounds them. */
export const placeNames = [
  'instructions',
  'knowledge',
  'notebooks',
  'truth',
  'context',
  'integrations',
  'system',
] as const;
export type PlaceName = (typeof placeNames)[number];

const places: Readonly<Record<string, PlaceName>> = {
  instruction: 'instructions',
  'instruction-proposal': 'instructions',
  feedback: 'instructions',
  library: 'knowledge',
  'scratch-namespace': 'notebooks',
  scratchpad: 'notebooks',
  'scratchpad-schema': 'notebooks',
  'scratchpad-cell': 'notebooks',
  entity: 'truth',
  payload: 'truth',
  submission: 'truth',
  correction: 'truth',
  contradiction: 'truth',
  relationship: 'truth',
  'relationship-type': 'truth',
  record: 'truth',
  file: 'truth',
  'truth-schema': 'truth',
  capability: 'truth',
  connector: 'integrations',
  'plaid-item': 'integrations',
};

export const placeOf = (topic: string): PlaceName => places[topic] ?? 'system';
