import { listSome } from '#kernel/text/list-some.ts';

interface ImportReport {
  readonly skipped: readonly { readonly source: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly errors: readonly { readonly id?: string | undefined; readonly error: string }[];
  readonly imported: number;
  readonly overwritten: number;
  /** Files that changed since they were imported. */
  readonly differ?: readonly { readonly file: string }[];
}

/** Errors always count. `differences`: the import changed the catalog, or files differ from it. */
export function findImportFailure(report: ImportReport, failOn: string): string | undefined {
  const { errors, skipped, warnings, imported, overwritten, differ = [] } = report;
  const [rejected] = errors.map(({ id = 'an entry', error }) => `${id}: ${error}`);
  if (rejected !== undefined) return `rejected ${listSome([rejected], errors.length)}`;
  const notes = [...skipped.map(({ source, reason }) => `${source}: ${reason}`), ...warnings];
  if (failOn === 'warnings' && notes.length > 0) return listSome(notes.slice(0, 1), notes.length);
  if (failOn !== 'differences') return undefined;
  if (differ.length > 0) return `changed since they were imported: ${listSome(differ.map(({ file }) => file))}`;
  if (imported + overwritten === 0) return undefined;
  return `the files differed from the catalog: imported ${imported}, overwritten ${overwritten}`;
}
