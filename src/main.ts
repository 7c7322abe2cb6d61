// oxlint-disable-next-line import/no-unassigned-import -- comes first, so that nothing writes to stdout before it.
import './entry/stdout-guard.ts';
import { runMain } from './entry/run-main.ts';

await runMain();
