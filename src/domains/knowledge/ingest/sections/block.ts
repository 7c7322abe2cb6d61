/** A part of a page in the order of its text. */
export type Block = Heading | Stretch;

export interface Heading {
  readonly kind: 'heading';
  /** From 1. */
  readonly level: number;
  readonly title: string;
  /** As the page itself names it. */
  readonly anchor?: string | undefined;
}

export interface Stretch {
  /** Code is never cut where it fits. */
  readonly kind: 'text' | 'code';
  /** Without blank lines around it. */
  readonly text: string;
}

/** A page as its format reads it. */
export interface Outline {
  /** Undefined: the page does not say. */
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}
