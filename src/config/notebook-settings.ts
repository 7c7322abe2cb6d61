import type { Setting } from './setting.ts';

const common = { group: 'Notebooks', part: 'notebooks' } as const;

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const mebibyte = 1024 * 1024;

/** Settings of the scratchpads; the variables come from the source document. */
export const notebookSettings = {
  maxScratchpads: {
    ...common,
    kind: 'integer',
    about: 'How many scratchpads a tenant may have; 0 is unlimited.',
    env: ['SCRATCH_NOTEBOOK_MAX_SCRATCHPADS'],
    min: 0,
    max: 100_000_000,
    fallback: 1_024,
  },
  maxCellsPerPad: {
    ...common,
    kind: 'integer',
    about: 'How many cells a scratchpad may have; 0 is unlimited.',
    env: ['SCRATCH_NOTEBOOK_MAX_CELLS_PER_PAD'],
    min: 0,
    max: 1_000_000,
    fallback: 1_024,
  },
  maxCellBytes: {
    ...common,
    kind: 'bytes',
    about: 'The largest content of a cell; 0 is unlimited, up to what fits into a message.',
    env: ['SCRATCH_NOTEBOOK_MAX_CELL_BYTES'],
    min: 0,
    max: 256 * mebibyte,
    fallback: 5 * mebibyte,
  },
  evictionPolicy: {
    ...common,
    kind: 'choice',
    about:
      'What happens when there are too many scratchpads: `fail` refuses the new one, `discard` moves those that were not used for longest to the trash, `preempt` those that were not used for preemptAgeMs.',
    env: ['SCRATCH_NOTEBOOK_EVICTION_POLICY'],
    choices: ['fail', 'discard', 'preempt'],
    fallback: 'fail',
  },
  preemptAgeMs: {
    ...common,
    kind: 'duration',
    about: 'How long a scratchpad must have been unused before `preempt` takes it.',
    env: ['SCRATCH_NOTEBOOK_PREEMPT_AGE'],
    envInSeconds: true,
    minMs: 0,
    maxMs: 10 * 365 * 24 * hourMs,
    fallback: 24 * hourMs,
  },
  preemptIntervalMs: {
    ...common,
    kind: 'duration',
    about: 'How often `preempt` looks for unused scratchpads.',
    env: ['SCRATCH_NOTEBOOK_PREEMPT_INTERVAL'],
    envInSeconds: true,
    minMs: secondMs,
    maxMs: 24 * hourMs,
    fallback: 10 * minuteMs,
  },
  validationTimeoutMs: {
    ...common,
    kind: 'duration',
    about: 'A validation that takes longer fails with VALIDATION_TIMEOUT.',
    env: ['SCRATCH_NOTEBOOK_VALIDATION_TIMEOUT'],
    envInSeconds: true,
    minMs: 10,
    maxMs: 10 * minuteMs,
    fallback: 10 * secondMs,
  },
} as const satisfies Readonly<Record<string, Setting>>;
