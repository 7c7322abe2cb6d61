import { createContext, useContext } from 'react';
import type { Output } from './call.ts';

export type CallerInfo = Output<'caller_show'>;

export const CallerContext = createContext<CallerInfo | undefined>(undefined);

/** Who is signed in. */
export function useCaller(): CallerInfo {
  const caller = useContext(CallerContext);
  if (caller === undefined) throw new Error('useCaller is only for pages inside the shell');
  return caller;
}

const ranks = { read: 0, write: 1, admin: 2 } as const;

/** What the scope forbids is not offered. `operator` administers the whole server. */
export function useCan(needed: 'read' | 'write' | 'admin' | 'operator'): boolean {
  const { scopes, isOperator, server } = useCaller();
  if (needed === 'operator') return isOperator;
  if (server.readOnly && needed !== 'read') return false;
  return scopes.some((scope) => ranks[scope] >= ranks[needed]);
}
