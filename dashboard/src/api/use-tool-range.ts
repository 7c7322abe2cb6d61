import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callTool, type Input, type Output, type ToolName } from './call.ts';
import { toKey } from './use-tool.ts';

const pageCount = 100;
/** The largest offset that these tools accept. */
const offsetMax = 100_000;
const lastPage = Math.floor(offsetMax / pageCount);
/** While a person drags the scrollbar, pages are loaded for some of the places that it passes. */
const followMs = 100;

/** The functions must stay the same from one drawing to the next. */
interface RangeTool<N extends ToolName, T> {
  readonly itemsOf: (answer: Output<N>) => readonly T[];
  readonly totalOf: (answer: Output<N>) => number;
  readonly enabled: boolean;
}

/** Calls the function at most once in this time, the last time with the newest arguments. */
function useFollow(work: (first: number, last: number) => void): (first: number, last: number) => void {
  const latest = useRef<readonly [number, number]>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (first, last) => {
      latest.current = [first, last];
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        work(...latest.current!);
      }, followMs);
    },
    [work],
  );
}

/**
 * A list of a tool with an offset. Its length is known after the first page, so the scrollbar reaches every place, and only
 * the pages in view are loaded. The items have holes where no page was loaded.
 */
export function useToolRange<N extends ToolName, T>(name: N, input: Input<N>, tool: RangeTool<N, T>) {
  const { itemsOf, totalOf, enabled } = tool;
  const [{ from, to }, setPages] = useState({ from: 0, to: 0 });
  const show = useCallback((first: number, last: number) => {
    const next = { from: Math.floor(first / pageCount), to: Math.min(lastPage, Math.floor(last / pageCount)) };
    setPages((before) => (before.from === next.from && before.to === next.to ? before : next));
  }, []);
  const onRange = useFollow(show);
  // The first page always: it knows the length while others load.
  const pages = [0, ...Array.from({ length: to - from + 1 }, (_, n) => from + n).filter((page) => page > 0)];
  const pagesKey = pages.join();
  const combine = useCallback(
    (results: UseQueryResult<Output<N>>[]) => {
      const first = results[0]!;
      const total = first.data === undefined ? 0 : totalOf(first.data);
      const items: (T | undefined)[] = [];
      items.length = Math.min(total, (lastPage + 1) * pageCount);
      for (const [n, page] of pagesKey.split(',').entries()) {
        const answer = results[n]?.data;
        if (answer === undefined) continue;
        for (const [index, item] of itemsOf(answer).entries()) items[Number(page) * pageCount + index] = item;
      }
      return { first, total, items };
    },
    [pagesKey, itemsOf, totalOf],
  );
  const found = useQueries({
    combine,
    queries: pages.map((page) => {
      const asked = Object.assign({}, input, { limit: pageCount, offset: page * pageCount });
      return {
        queryKey: toKey(name, asked),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => callTool(name, asked, signal),
        enabled,
      };
    }),
  });
  return { ...found, onRange };
}
