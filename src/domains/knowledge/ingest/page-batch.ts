import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';

/** Collects pages for one write; while it is on its way the next ones are read. */
export function createPageBatch(write: (pages: readonly NewPage[]) => Promise<void>) {
  const { batchPagesCount, batchSectionsCount, batchChars } = knowledgeLimits;
  let open: NewPage[] = [];
  let sections = 0;
  let chars = 0;
  let all = 0;
  let underWay: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    await underWay;
    if (open.length === 0) return;
    const some = open;
    open = [];
    sections = 0;
    chars = 0;
    underWay = write(some);
    // It is waited for before the next one, and at the end; until then nobody looks at it.
    underWay.catch(() => {});
  }

  return {
    async add(page: NewPage): Promise<void> {
      open.push(page);
      sections += page.sections.length;
      all += page.sections.length;
      for (const { text } of page.sections) chars += text.length;
      if (open.length >= batchPagesCount || sections >= batchSectionsCount || chars >= batchChars) await flush();
    },
    async end(): Promise<void> {
      await flush();
      await underWay;
    },
    /** Whatever went wrong: nothing is on its way any more. */
    async settle(): Promise<void> {
      await underWay.catch(() => {});
    },
    sectionsCount: () => all,
  };
}
