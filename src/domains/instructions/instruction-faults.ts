import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Refusal } from './rules/check-write.ts';
import type { Cycle } from './rules/graph.ts';

/** The instruction family needs no codes of its own: the documents number the kernel's. These are its words. */
export const cycleFault = ({ field, ids }: Cycle): Fault =>
  faults.VALIDATION_ERROR(
    { why: `cycle in ${field}: ${ids.slice(0, 20).join(' → ')}` },
    { field, cycle: ids.slice(0, 20) },
  );

export const refusalFault = ({ error }: Refusal): Fault => faults.VALIDATION_ERROR({ why: error });
