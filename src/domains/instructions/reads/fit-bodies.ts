import { limits } from '#kernel/limits.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import { isBinding } from '../rules/applicability.ts';
import type { ApplicableItem, RelatedItem } from '../tools/instructions-applicable.ts';

interface Page {
  readonly items: readonly ApplicableItem[];
  readonly related: readonly RelatedItem[];
  /** The first of the items have their bodies. */
  readonly bodiesCount: number;
  readonly leftOut: string | undefined;
}

const withoutBody = <Item extends { readonly body?: string | undefined }>({ body: _body, ...item }: Item) => item;

const totalBytes = (items: readonly unknown[]): number =>
  items.reduce<number>((sum, item) => sum + jsonBytes(item) + 1, 0);

/** The size of `"body":…,` in an answer. */
const bodyBytes = ({ body }: { readonly body?: string | undefined }): number => jsonBytes({ body });

/** How many bodies, from the first one, fit into the bytes. */
function countFitting(items: readonly { readonly body?: string | undefined }[], bytes: number): number {
  let left = bytes;
  const end = items.findIndex((item) => {
    left -= bodyBytes(item);
    return left < 0;
  });
  return end === -1 ? items.length : end;
}

/** What an answer lacks, and the call that returns it. */
function describeLeftOut(bodies: number, rules: number, bodiesOfRelated: number): string | undefined {
  const parts = [
    ...(bodies > 0 ? [`the bodies of ${bodies} rules (repeat the call with nextCursor as cursor)`] : []),
    ...(rules > 0 ? [`${rules} further rules that are not binding (likewise)`] : []),
    ...(bodiesOfRelated > 0 ? [`the bodies of ${bodiesOfRelated} rules that may apply (instructions_get)`] : []),
  ];
  return parts.length === 0 ? undefined : `Left out: ${parts.join(', ')}.`;
}

/**
 * Cuts bodies to the budget of a page, but no binding rule: an agent must know that it exists. At least one body is
 * kept, so that following the cursor ends. Other rules are listed up to the limit.
 */
export function fitBodies({
  found,
  related,
  limit,
}: {
  /** Binding ones first. */
  readonly found: readonly ApplicableItem[];
  readonly related: readonly RelatedItem[];
  readonly limit: number;
}): Page {
  const listed = found.slice(0, Math.max(limit, found.findLastIndex(isBinding) + 1));
  const relatedHeads = related.map(withoutBody);
  const heads = listed.map(withoutBody);
  const left = limits.pageBytes - totalBytes(heads) - totalBytes(relatedHeads);
  const fitting = countFitting(listed.slice(0, limit), left);
  const bodiesCount = Math.min(listed.length, Math.max(1, fitting));
  const bodies = listed.slice(0, bodiesCount);
  const leftForRelated =
    bodiesCount < listed.length ? 0 : left - bodies.reduce((sum, item) => sum + bodyBytes(item), 0);
  const relatedCount = countFitting(related, leftForRelated);
  return {
    items: [...bodies, ...heads.slice(bodiesCount)],
    related: [...related.slice(0, relatedCount), ...relatedHeads.slice(relatedCount)],
    bodiesCount,
    leftOut: describeLeftOut(listed.length - bodiesCount, found.length - listed.length, related.length - relatedCount),
  };
}
