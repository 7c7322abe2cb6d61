/** How a thread that ran out of the grammars' memory says so: its last words. */
export const outOfMemory = 'the grammars are out of memory';
