import type { EvaluationPlugin, ValidationContext } from '@hyperjump/json-schema/experimental';
import type { JsonNode } from '@hyperjump/json-schema/instance/experimental';
import { notebookLimits } from '../../notebook-limits.ts';

/** A keyword that a value does not satisfy. */
export interface Violation {
  /** As it is written in the schema: `required`. */
  readonly keyword: string;
  /** The value of the keyword, as the library compiled it. */
  readonly says: unknown;
  readonly value: unknown;
  readonly instance: string;
  readonly schemaLocation: string;
  /** The keyword only passes on the violations of its subschemas. */
  readonly isPassThrough: boolean;
  readonly below: readonly Violation[];
}

interface Collecting extends ValidationContext {
  violations?: Violation[];
}

const push = (context: Collecting, violation: Violation): void => {
  context.violations ??= [];
  // A hundred thousand items of the wrong type need no more than the first ones.
  if (context.violations.length <= notebookLimits.shownErrorsCount) context.violations.push(violation);
};

/** `https://json-schema.org/keyword/draft-04/items` → `items`. */
const nameOf = (location: string): string => decodeURIComponent(location.slice(location.lastIndexOf('/') + 1));

/** Collects a tree, because only the parent knows whether a branch had to match. */
export function createCollector(): EvaluationPlugin<Collecting> & { readonly found: () => readonly Violation[] } {
  let found: readonly Violation[] = [];
  return {
    found: () => found,
    afterKeyword([, location, says], node, context, valid, schemaContext, keyword) {
      if (valid) return;
      push(schemaContext, {
        keyword: nameOf(location),
        says,
        value: jsOf(node),
        instance: node.pointer,
        schemaLocation: location,
        isPassThrough: keyword.simpleApplicator === true,
        below: context.violations ?? [],
      });
    },
    afterSchema(url, node, context, valid) {
      if (context.ast[url] === false && !valid)
        push(context, {
          keyword: 'false',
          says: false,
          value: jsOf(node),
          instance: node.pointer,
          schemaLocation: url,
          isPassThrough: false,
          below: [],
        });
      found = context.violations ?? [];
    },
  };
}

const jsOf = (node: JsonNode): unknown => (node as JsonNode & { readonly value: unknown }).value;

/** Replaces pass-through keywords by the violations below them; a choice such as anyOf stays one violation. */
export function flatten(violations: readonly Violation[]): readonly Violation[] {
  return violations.flatMap((violation) =>
    violation.isPassThrough && violation.below.length > 0 ? flatten(violation.below) : [violation],
  );
}
