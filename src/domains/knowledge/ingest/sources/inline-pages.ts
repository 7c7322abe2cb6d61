import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import type { IngestInput } from '../../tools/knowledge-ingest.ts';
import { formatOf } from '../formats/page-format.ts';
import type { PageSource } from './page-source.ts';

/** Undefined if the path is empty or leaves the library. */
export function cleanPath(path: string): string | undefined {
  const steps = path.replaceAll('\\', '/').split('/');
  const isBad = (step: string): boolean => step === '' || step === '.' || step === '..' || /\p{Cc}/u.test(step);
  return steps.some(isBad) || /^[A-Za-z]:/.test(path) ? undefined : steps.join('/');
}

/** Pages that come with the call, for clients whose files the server cannot read. */
export function openPages(given: NonNullable<IngestInput['pages']>, isWhole: boolean): PageSource {
  const chars = given.reduce((sum, { content }) => sum + content.length, 0);
  if (chars > knowledgeLimits.inlineChars) {
    throw faults.RESOURCE_LIMIT({ what: 'All pages together', limit: knowledgeLimits.inlineChars, unit: 'characters' });
  }
  const seen = new Set<string>();
  const pages = given.map(({ path, content, title }) => {
    const clean = cleanPath(path);
    const refuse = (why: string) =>
      faults.VALIDATION_ERROR({ why: `pages: ${JSON.stringify(path)} ${why}` }, { field: 'pages' });
    if (clean === undefined) throw refuse('is not a path inside a library');
    if (seen.has(clean)) throw refuse('occurs twice');
    seen.add(clean);
    return { path: clean, format: formatOf(clean) ?? ('markdown' as const), title, read: async () => content };
  });
  return {
    origin: { kind: 'pages', name: 'given with the call' },
    library: undefined,
    version: undefined,
    ...{ pages, isWhole, skipped: [] },
    async close() {},
  };
}
