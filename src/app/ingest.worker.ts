// The entry of the processes that read large pages of untrusted docs.
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

serveTasks({
  'knowledge/read-page': async () => {
    const { readPage } = await import('#domains/knowledge/ingest/read-page.ts');
    type Input = import('#domains/knowledge/ingest/read-page-task.ts').ReadPageInput;
    return ({ page, hash }: Input) => readPage(page, hash);
  },
});
