// The entry of the extraction processes: third-party parsers read untrusted files here and nowhere else.
import { serveTasks } from '#kernel/workers/serve-tasks.ts';

serveTasks({
  'truth/extract': async () => (await import('#domains/truth/files/extract/extract-text.ts')).extractFile,
});
