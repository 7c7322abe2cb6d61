import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import { decodePage } from './formats/page-format.ts';
import { hashOfPage } from './read-page.ts';
import type { PageReader } from './read-page-task.ts';
import type { PageSource, RawPage, SkippedPage } from './sources/page-source.ts';

/** Collects pages for one write and reads the next ones while it runs. */
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
    // The error is thrown by the next flush; this only prevents an unhandled rejection.
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
    /** Waits for the pending write and ignores its error. */
    async settle(): Promise<void> {
      await underWay.catch(() => {});
    },
    sectionsCount: () => all,
  };
}

type TextOrReason = string | { readonly reason: string };

async function readText(page: RawPage): Promise<TextOrReason> {
  const read = await page.read();
  if (typeof read === 'string') return read.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  return read instanceof Uint8Array ? decodePage(read) : read;
}

/** Yields pages in order and reads ahead. */
async function* readAll(
  pages: readonly RawPage[],
): AsyncGenerator<{ readonly raw: RawPage; readonly text: TextOrReason }> {
  const ahead: Promise<TextOrReason>[] = [];
  for (const [i, raw] of pages.entries()) {
    while (ahead.length <= knowledgeLimits.readAheadPagesCount && i + ahead.length < pages.length) {
      const begun = readText(pages[i + ahead.length]!);
      // Awaited in its turn; this only prevents an unhandled rejection.
      begun.catch(() => {});
      ahead.push(begun);
    }
    yield { raw, text: await ahead.shift()! };
  }
}

/** Unchanged (hash), new or changed (page), skipped (reason), or without content (undefined). */
type PageOutcome = { readonly hash: string } | { readonly page: NewPage } | { readonly reason: string } | undefined;

async function comparePage(
  readPage: PageReader,
  raw: RawPage,
  text: TextOrReason,
  before: string | undefined,
  call: Call,
): Promise<PageOutcome> {
  const { path, format, title } = raw;
  if (typeof text !== 'string') return text;
  const hash = hashOfPage(format, `${title ?? ''}\n${text}`);
  if (hash === before) return { hash };
  const page = await readPage({ page: { path, format, title, text }, hash }, call);
  return page === undefined || 'reason' in page ? page : { page };
}

/** Writes only new and changed pages and counts their sections. If no page can be read, nothing changes. */
export async function ingestPages(
  opened: PageSource,
  readPage: PageReader,
  known: ReadonlyMap<string, string>,
  write: (pages: readonly NewPage[]) => Promise<void>,
  call: Call,
) {
  const now = new Map<string, string>(opened.isWhole ? [] : known);
  const skipped: SkippedPage[] = [...opened.skipped];
  const counts = { added: 0, changed: 0, unchanged: 0 };
  const batch = createPageBatch(write);

  /** Packages repeat the same declarations for each module system; one copy is enough. */
  const declared = new Set<string>();
  function isCopy({ format }: RawPage, hash: string): boolean {
    if (format !== 'declarations') return false;
    const isKnown = declared.has(hash);
    declared.add(hash);
    return isKnown;
  }

  async function take(raw: RawPage, text: TextOrReason): Promise<void> {
    const { path } = raw;
    const before = known.get(path);
    const outcome = await comparePage(readPage, raw, text, before, call);
    if (outcome === undefined) return;
    if ('reason' in outcome) {
      skipped.push({ path, reason: outcome.reason });
      return;
    }
    const hash = 'hash' in outcome ? outcome.hash : outcome.page.hash;
    if (isCopy(raw, hash)) return;
    now.set(path, hash);
    if ('hash' in outcome) counts.unchanged += 1;
    else {
      counts[before === undefined ? 'added' : 'changed'] += 1;
      await batch.add(outcome.page);
    }
  }

  try {
    let done = 0;
    for await (const { raw, text } of readAll(opened.pages)) {
      call.signal.throwIfAborted();
      await take(raw, text);
      if (done % knowledgeLimits.progressEveryCount === 0) call.progress(done, opened.pages.length, raw.path);
      done += 1;
    }
    if (now.size === 0) {
      const named = skipped[0] === undefined ? '' : ` (${skipped[0].path}: ${skipped[0].reason})`;
      throw faults.VALIDATION_ERROR({ why: `No readable docs found${named}` }, { field: 'source' });
    }
    await batch.end();
  } finally {
    await batch.settle();
  }
  return { now, skipped, counts, sectionsCount: batch.sectionsCount() };
}
