/** For the commands that work on the store as a whole. */
export { migrations } from '#migrations/all.ts';
