import type { Call } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { toPadDocument } from '../search/notebook-documents.ts';
import type { PadContext } from './pad-context.ts';
import { putPadDocuments } from './pad-documents.ts';
import { expectRevision, padMissing } from './pad-faults.ts';
import { bumpPad, type PadRow, setDescription } from './pad-store.ts';
import { hashOfPad, padTopic } from './remove-pad.ts';

type Text = string | null | undefined;

export interface DescribeInput {
  readonly scratch_id: string;
  readonly title?: Text;
  readonly description?: Text;
  readonly summary?: Text;
  readonly expected_revision?: number | undefined;
}

export interface DescribeAnswer extends Pick<PadRow, 'scratch_id' | 'title' | 'description' | 'summary' | 'revision'> {
  readonly ok: true;
}

/** Undefined keeps a text; an empty one removes it. */
const changeText = (before: string | null, given: Text): string | null =>
  given === undefined ? before : given || null;

export const createDescription = ({ storage, documents, access }: PadContext) => {
  function* describe(db: Writer, input: DescribeInput): Work<PadRow> {
    const bumped = yield* bumpPad(db, input.scratch_id, 0);
    if (bumped === undefined) throw padMissing(input.scratch_id);
    expectRevision(input.scratch_id, bumped.revision - 1, input.expected_revision);
    const pad = {
      ...bumped,
      title: changeText(bumped.title, input.title),
      description: changeText(bumped.description, input.description),
      summary: changeText(bumped.summary, input.summary),
    };
    yield* setDescription(db, pad);
    // The title of the pad is part of the search documents of its cells.
    if (pad.title === bumped.title) yield* documents.put(db, [toPadDocument(pad)]);
    else yield* putPadDocuments(db, documents, pad);
    yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
    return pad;
  }

  return async (input: DescribeInput, call: Call): Promise<DescribeAnswer> => {
    const pad = await storage.write(call, (db) => describe(db, input));
    access.note(call.tenant, input.scratch_id);
    const { scratch_id, title, description, summary, revision } = pad;
    return { ok: true, scratch_id, title, description, summary, revision };
  };
};
