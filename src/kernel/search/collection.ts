/** A document to index. Filters compare facets exactly. */
export interface SearchDocument<Field extends string = string> {
  readonly id: string;
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  readonly facets?: Facets;
}

export type Facets = Readonly<Record<string, string | readonly string[]>>;

/** One kind of document. Weights and constants apply at query time, so changing them needs no rebuild. */
export interface Collection<Field extends string = string> {
  readonly name: string;
  /** In index order. The id is a field if it has a weight. */
  readonly fields: readonly string[];
  readonly weights: readonly number[];
  /** A document whose title equals the query ranks above those that only mention it. */
  readonly titleField: Field | undefined;
  readonly k1: number;
  readonly b: number;
  /** A document that is longer, compared with the mean, counts as this long. */
  readonly relativeLengthMax: number;
}

export interface CollectionDeclaration<Field extends string> {
  readonly name: string;
  /** Field → weight, the most significant first. */
  readonly fields: Readonly<Record<Field, number>>;
  readonly title?: NoInfer<Field>;
  /** The weight of words in the id; 0 for ids without meaning. */
  readonly idWeight?: number;
  readonly k1?: number;
  readonly b?: number;
  readonly relativeLengthMax?: number;
}

export const idField = 'id';

export function defineCollection<const Field extends string>(
  declaration: CollectionDeclaration<Field>,
): Collection<Field> {
  const { name, fields, title, idWeight = 2, k1 = 1.2, b = 0.75, relativeLengthMax = Infinity } = declaration;
  const entries = Object.entries<number>(fields);
  if (entries.some(([field, weight]) => field === idField || weight <= 0)) {
    throw new Error(`collection ${name}: a field must not be called "${idField}", and its weight must be above 0`);
  }
  if (idWeight > 0) entries.unshift([idField, idWeight]);
  return {
    name,
    fields: entries.map(([field]) => field),
    weights: entries.map(([, weight]) => weight),
    titleField: title,
    k1,
    b,
    relativeLengthMax,
  };
}

export const textOf = (document: SearchDocument, field: string): string =>
  field === idField ? document.id : (document.fields[field] ?? '');
