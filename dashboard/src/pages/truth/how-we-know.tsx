import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { SidePanel } from '../../kit/dialog.tsx';
import { Answer, Note } from '../../kit/feedback.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Time } from '../../kit/time.tsx';
import { RetractDialog } from './retract-dialog.tsx';
import { plural, Since, showControls, toLabel, Value } from './value.tsx';

type Provenance = Output<'get_field_provenance'>;

/** The text of the document around the value, with the value marked. */
function SourceText({ found }: { readonly found: NonNullable<Provenance['source_text']> }) {
  const { text, offset, start, end } = found;
  const until = offset + end - start;
  return (
    <blockquote className="code truth-quote">
      {text.slice(0, offset)}
      <mark>{text.slice(offset, until)}</mark>
      {text.slice(until)}
    </blockquote>
  );
}

/** What was submitted, as it was sent. */
function Body({ submissionId, payloadId }: { readonly submissionId: string; readonly payloadId: string }) {
  const payload = useTool('get_payload', { payload_id: payloadId, submission_id: submissionId });
  return <Answer of={payload}>{(data) => <JsonTree value={data.body} />}</Answer>;
}

const kindOf = { payload: 'Submitted as', record: 'Read from a', correction: 'Stated as a' } as const;

/** The id by which a statement is taken back. */
const retractableId = ({ source_observation: one, source_record }: Provenance): string =>
  one.source_kind === 'payload' ? (one.submission_id ?? source_record.id) : source_record.id;

interface DetailsProps {
  readonly known: Provenance;
  readonly onCorrect: (() => void) | undefined;
  readonly isNow: boolean;
}

function Details({ known, onCorrect, isNow }: DetailsProps) {
  const [isBodyShown, setBodyShown] = useState(false);
  const [isRetracting, setRetracting] = useState(false);
  const canWrite = useCan('write');
  const { source_observation: one, source_record: record } = known;
  return (
    <>
      <p>
        <strong>{toLabel(known.field)}</strong> is{' '}
        <strong>
          <Value value={known.value} />
        </strong>{' '}
        since <Since at={one.effective_at} />.
      </p>
      {known.source_text && <SourceText found={known.source_text} />}
      <dl className="facts">
        {known.source_refs.length > 0 && (
          <>
            <dt>Source</dt>
            <dd>
              <ul>
                {known.source_refs.map(({ ref, type }) => (
                  <li key={ref}>
                    <bdi>{showControls(ref)}</bdi> {type !== 'unknown' && <span className="soft">{toLabel(type)}</span>}
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{kindOf[one.source_kind]}</dt>
        <dd>
          {one.source_kind === 'record' ? (
            <Link to="/truth/records" search={{ id: record.id }}>
              {record.file_name ?? toLabel(record.type)}
            </Link>
          ) : (
            toLabel(record.type)
          )}
          {record.deleted && ' (deleted)'}
        </dd>
        {one.agent_id !== undefined && one.agent_id !== one.actor && (
          <>
            <dt>Agent</dt>
            <dd>
              <Actor of={one.agent_id} />
            </dd>
          </>
        )}
        {one.actor !== undefined && (
          <>
            <dt>Recorded by</dt>
            <dd>
              <Actor of={one.actor} />
            </dd>
          </>
        )}
        {one.extractor_version !== undefined && (
          <>
            <dt>Extractor</dt>
            <dd>{one.extractor_version}</dd>
          </>
        )}
        {record.reason !== undefined && (
          <>
            <dt>Reason</dt>
            <dd>{record.reason}</dd>
          </>
        )}
        <dt>Source read</dt>
        <dd>
          <Time at={known.observed_at} />
        </dd>
        <dt>Recorded</dt>
        <dd>
          <Time at={record.created_at} />
        </dd>
        <dt>Observation</dt>
        <dd className="mono">
          {one.id} <Copy text={one.id} what="observation id" />
        </dd>
      </dl>
      {known.disputed_in !== undefined && (
        <Note tone="attention">
          <span>Another source states a different value for the same time.</span>
          <Link to="/truth/contradictions" search={{ id: known.disputed_in[0] }}>
            Compare both statements
          </Link>
        </Note>
      )}
      {known.contributing_total > 1 && (
        <p className="soft">
          {plural(known.contributing_total - 1, 'other statement is', 'other statements are')} part of this value.
        </p>
      )}
      {one.source_kind === 'payload' && one.submission_id !== undefined && (
        <div className="stack">
          <div>
            <Button aria-expanded={isBodyShown} onClick={() => setBodyShown(!isBodyShown)}>
              {isBodyShown ? 'Hide what was sent' : 'Show what was sent'}
            </Button>
          </div>
          {isBodyShown && <Body submissionId={one.submission_id} payloadId={record.id} />}
        </div>
      )}
      {canWrite && isNow && (
        <div className="row wrap">
          {onCorrect && <Button onClick={onCorrect}>Correct…</Button>}
          <Button kind="danger" onClick={() => setRetracting(true)}>
            Retract this statement…
          </Button>
        </div>
      )}
      {isRetracting && (
        <RetractDialog
          id={retractableId(known)}
          sourceKind={one.source_kind}
          what={toLabel(record.type)}
          onClose={() => setRetracting(false)}
        />
      )}
    </>
  );
}

interface HowWeKnowProps {
  readonly entityId: string;
  readonly field: string;
  readonly at: string | undefined;
  readonly asKnownAt: string | undefined;
  readonly onCorrect: (() => void) | undefined;
  readonly onClose: () => void;
}

export function HowWeKnow({ entityId, field, at, asKnownAt, onCorrect, onClose }: HowWeKnowProps) {
  const known = useTool('get_field_provenance', {
    entity_id: entityId,
    field,
    ...(at !== undefined && { at }),
    ...(asKnownAt !== undefined && { as_known_at: asKnownAt }),
  });
  const isNow = at === undefined && asKnownAt === undefined;
  return (
    <SidePanel title="How do we know?" onClose={onClose}>
      <Answer of={known}>{(data) => <Details known={data} onCorrect={onCorrect} isNow={isNow} />}</Answer>
    </SidePanel>
  );
}
