import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { type Documents, toCellDocument, toPadDocument } from '../search/notebook-documents.ts';
import { findIndexedCells, listCellIdsAfter } from '../search/notebook-search-store.ts';
import type { PadViewRow } from './pad-views.ts';

/** Indexes a pad and all its cells. In pages, because a pad can hold a lot of text. */
export function* putPadDocuments(db: Writer, documents: Documents, pad: PadViewRow): Work<void> {
  yield* documents.put(db, [toPadDocument(pad)]);
  for (let after = ''; ; ) {
    const page = yield* listCellIdsAfter(db, pad.pad_key, after, notebookLimits.documentsPageCount);
    const keys = page.map(({ cell_id }) => ({ pad_key: pad.pad_key, cell_id }));
    const cells = page.length === 0 ? [] : yield* findIndexedCells(db, keys);
    if (cells.length > 0) {
      yield* documents.put(
        db,
        cells.map((cell) => toCellDocument(pad, cell)),
      );
    }
    const last = page.at(-1);
    if (last === undefined || page.length < notebookLimits.documentsPageCount) return;
    after = last.cell_id;
  }
}
