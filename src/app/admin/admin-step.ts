/** Something that a memory wants done after its rows or files came back: replay a journal, build a search index. */
export interface AdminStep {
  readonly name: string;
  run(): Promise<void>;
}

/** `done` of `total` in whatever unit the work is counted; `total` is missing when nobody can know it. */
export type AdminProgress = (done: number, total: number | undefined, message: string) => void;

export async function runSteps(steps: readonly AdminStep[], progress: AdminProgress): Promise<void> {
  for (const [i, step] of steps.entries()) {
    progress(i, steps.length, step.name);
    await step.run();
  }
}
