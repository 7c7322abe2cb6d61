/** What a relationship type means. */
export interface RelationshipType {
  readonly relationship_type: string;
  readonly description: string;
  /** Edges of such a type must not form a cycle. */
  readonly acyclic: boolean;
}

const typeOf = (relationship_type: string, description: string, acyclic = false): RelationshipType => ({
  relationship_type,
  description,
  acyclic,
});

/** The seven of the document (RULINGS R6). They never change. */
export const documentedTypes: readonly RelationshipType[] = [
  typeOf('PART_OF', 'The source is a part of the target.', true),
  typeOf('CORRECTS', 'The source corrects the target.', true),
  typeOf('REFERS_TO', 'The source mentions the target; references may be mutual.'),
  typeOf('SETTLES', 'The source, such as a payment, settles the target.', true),
  typeOf('DUPLICATE_OF', 'The source repeats the target.', true),
  typeOf('DEPENDS_ON', 'The source needs the target.', true),
  typeOf('SUPERSEDES', 'The source replaces the target.', true),
];

/**
 * For people, projects and documents. Cycles are checked without regard to time, so a type is acyclic only if the roles
 * cannot be exchanged later: two people may report to each other, one after the other.
 */
const everydayTypes: readonly RelationshipType[] = [
  typeOf('WORKS_AT', 'A person works at a company or another organisation.'),
  typeOf('MEMBER_OF', 'A person or organisation belongs to a team or group.'),
  typeOf('REPORTS_TO', 'A person reports to another.'),
  typeOf('KNOWS', 'A person knows another.'),
  typeOf('PARENT_OF', 'A person is a parent of another.', true),
  typeOf('OWNS', 'A person or company owns a thing, a project or a company.'),
  typeOf('LOCATED_IN', 'The source is in a place.', true),
  typeOf('ABOUT', 'A note, document or decision is about the target.'),
  typeOf('CREATED_BY', 'The source was made by a person or company.'),
  typeOf('ASSIGNED_TO', 'A task or project is the responsibility of a person.'),
  typeOf('BLOCKS', 'The target cannot go on before the source is done.', true),
  typeOf('DECIDED_IN', 'A decision was made in a meeting, project or document.'),
  typeOf('ISSUED_BY', 'An invoice or receipt comes from its vendor.'),
  typeOf('BILLED_TO', 'An invoice is addressed to its customer.'),
  typeOf('PAID_TO', 'A transaction has this merchant or counterparty.'),
  typeOf('PARTY_TO', 'A company or person is a party to a contract.'),
];

export interface BuiltinType extends RelationshipType {
  readonly origin: 'documented' | 'builtin';
}

export const builtinTypes: ReadonlyMap<string, BuiltinType> = new Map<string, BuiltinType>([
  ...documentedTypes.map((one) => [one.relationship_type, { ...one, origin: 'documented' }] as const),
  ...everydayTypes.map((one) => [one.relationship_type, { ...one, origin: 'builtin' }] as const),
]);

export const builtinNames: readonly string[] = [...builtinTypes.keys()];
