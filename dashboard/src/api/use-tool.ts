import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { callTool, type Input, type Output, type ToolName } from './call.ts';

export interface UseToolOptions {
  readonly enabled?: boolean;
  /** Shows the former answer while the input changes, for search as you type. */
  readonly keepsPrevious?: boolean;
  /** False for answers that changes of the store do not concern. */
  readonly isLive?: boolean;
  /** Asks again after this time while the page is visible. */
  readonly refreshMs?: number;
}

export const toKey = (name: ToolName, input: unknown): QueryKey => ['tool', name, input];

/** The answer of a reading tool, cached by its input and refreshed when the store changes. */
export function useTool<N extends ToolName>(name: N, input: Input<N>, options: UseToolOptions = {}) {
  const { enabled = true, keepsPrevious = false, isLive = true, refreshMs } = options;
  return useQuery<Output<N>>({
    queryKey: toKey(name, input),
    queryFn: ({ signal }) => callTool(name, input, signal),
    enabled,
    meta: { isLive },
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** Pages of a tool with a cursor, for long lists. `nextOf` finds the input of the next page in the last answer. */
export function useToolPages<N extends ToolName>(
  name: N,
  input: Input<N>,
  nextOf: (last: Output<N>, loadedPages: number) => Partial<Input<N>> | undefined,
  options: UseToolOptions = {},
) {
  const { enabled = true, keepsPrevious = false, isLive = true } = options;
  return useInfiniteQuery({
    queryKey: [...toKey(name, input), 'pages'],
    queryFn: ({ signal, pageParam }) => callTool(name, Object.assign({}, input, pageParam), signal),
    initialPageParam: {} as Partial<Input<N>>,
    getNextPageParam: (last, pages) => nextOf(last, pages.length),
    enabled,
    meta: { isLive },
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A writing tool. Every answer on the screen is refreshed after it; an error is not held back until then. */
export function useToolAction<N extends ToolName>(name: N) {
  const client = useQueryClient();
  return useMutation<Output<N>, Error, Input<N>>({
    mutationFn: (input) => callTool(name, input),
    onSuccess: () => client.invalidateQueries(),
    onError: () => void client.invalidateQueries(),
  });
}
