import { defineFaults, fault } from '../fault/fault.ts';

export const pathFaults = defineFaults({
  /** One answer for what is missing, outside, hidden or no file: it tells nobody what lies outside. */
  PATH_REFUSED: fault({
    rpc: -32004,
    http: 403,
    retryable: false,
    say: () => 'No readable file is there, inside the allowed folders',
    fix: 'Check the path; put the file into an allowed folder, or add its folder to the setting fileRoots.',
  }),
});
