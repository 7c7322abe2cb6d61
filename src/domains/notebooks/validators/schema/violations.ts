import type { EvaluationPlugin, ValidationContext } from '@hyperjump/json-schema/experimental';
import type { JsonNode } from '@hyperjump/json-schema/instance/experimental';
import { notebookLimits } from '../../notebook-limits.ts';

/** One keyword that a value does not obey. */
export interface Violation {
  /** As it is written in the schema: `required`. */
  readonly keyword: string;
  /** What the keyword says, as the library compiled it. */
  readonly says: unknown;
  readonly value: unknown;
  readonly instance: string;
  readonly schemaLocation: string;
  /** It only hands on what the schemas below it found. */
  readonly isPassage: boolean;
  readonly below: readonly Violation[];
}

interface Collecting extends ValidationContext {
  violations?: Violation[];
}

const push = (context: Collecting, violation: Violation): void => {
  context.violations ??= [];
  // A hundred thousand items of the wrong type are told by the first ones.
  if (context.violations.length <= notebookLimits.checkErrorsCount) context.violations.push(violation);
};

/** `https://json-schema.org/keyword/draft-04/items` → `items`. */
const nameOf = (location: string): string => decodeURIComponent(location.slice(location.lastIndexOf('/') + 1));

/** Collects what fails, as a tree: only above is it known whether a branch had to pass. */
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
        isPassage: keyword.simpleApplicator === true,
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
          isPassage: false,
          below: [],
        });
      found = context.violations ?? [];
    },
  };
}

const jsOf = (node: JsonNode): unknown => (node as JsonNode & { readonly value: unknown }).value;

/** What a person is told: passages give way to what they lead to, a choice stays one thing. */
export function flatten(violations: readonly Violation[]): readonly Violation[] {
  return violations.flatMap((violation) =>
    violation.isPassage && violation.below.length > 0 ? flatten(violation.below) : [violation],
  );
}
