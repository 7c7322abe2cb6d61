import { sha256Hex } from '#kernel/hash/hash.ts';
import list from './everyday-requests.json' with { type: 'json' };

/** What people ask for although no tool does it, and what to say then. */
export interface AbsentRequest {
  readonly say: string;
  readonly asks: readonly string[];
}

/** Requests in the words of people, by the canonical name of the tool that serves them. */
export const everydayRequests: Readonly<Record<string, readonly string[]>> = list.tools;

export const absentRequests: readonly AbsentRequest[] = list.absent;

/** Each becomes one vector, in this order: first those of the tools, then those that no tool serves. */
export const requestGroups: readonly (readonly string[])[] = [
  ...Object.values(everydayRequests),
  ...absentRequests.map(({ asks }) => asks),
];

/** Changes with every text that has a vector. */
export const hashRequests = (groups: readonly (readonly string[])[]): string => sha256Hex(JSON.stringify(groups));
