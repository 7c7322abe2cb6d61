import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Output, ToolError } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Empty, ErrorNote, Loading, Note } from '../../kit/feedback.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import { FieldTable, History } from './field-table.tsx';
import { ForgetAction, Forgotten } from './forget-entity.tsx';
import { HowWeKnow } from './how-we-know.tsx';
import { ConfirmUnmerge, MergeDialog, type NamedEntity } from './merge-dialog.tsx';
import { Neighbours } from './neighbours.tsx';
import { TimeScrubber } from './scrubber.tsx';
import { displayName, plural, Since, Source, toLabel, useEntityNames, Value } from './value.tsx';

type Overview = Output<'get_entity_overview'>;

/** The value that a person asked for, or the one that changed last. */
function OneLine({ overview, field }: { readonly overview: Overview; readonly field: string | undefined }) {
  const names = new Set(['name', 'title']);
  const newest = overview.fields
    .filter((one) => !names.has(one.field))
    .toSorted((a, b) => Number(a.effective_at < b.effective_at) - Number(a.effective_at > b.effective_at))[0];
  const shown = overview.fields.find((one) => one.field === field) ?? newest;
  if (shown === undefined)
    return (
      <>
        {toLabel(overview.entity_type)} with {plural(overview.observation_count, 'statement')}
      </>
    );
  return (
    <>
      {toLabel(shown.field)} is <Value value={shown.value} chars={120} /> since <Since at={shown.effective_at} />, from{' '}
      <Source of={shown} />
    </>
  );
}

interface RawFieldsProps {
  readonly entityId: string;
  readonly fields: Overview['raw_fields'];
}

/** They decide nothing, so their history is all that is known about their sources. */
function RawFields({ entityId, fields }: RawFieldsProps) {
  const [{ history }, setSearch] = useSearchState();
  if (fields.length === 0) return null;
  return (
    <Section title="Stated, but in no field">
      <p className="soft">The schema of this type does not accept these values. They are kept as they were stated.</p>
      <dl className="facts">
        {fields.map(({ field, value }) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{toLabel(field)}</dt>
            <dd>
              <button
                type="button"
                className="value-button sourced"
                title="Where does it come from?"
                aria-expanded={history === field}
                onClick={() => setSearch({ history: history === field ? undefined : field })}
              >
                <Value value={value} />
              </button>
              {history === field && <History entityId={entityId} field={field} />}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Merged({ overview }: { readonly overview: Overview }) {
  const [source, setSource] = useState<NamedEntity>();
  const canWrite = useCan('write');
  const nameOf = useEntityNames(overview.merged.map(({ entity_id }) => entity_id));
  if (overview.merged.length === 0) return null;
  return (
    <Section title="Merged into this">
      <ul className="stack">
        {overview.merged.map((one) => (
          <li key={one.entity_id} className="row">
            <bdi>{nameOf(one)}</bdi>
            {canWrite && (
              <Button onClick={() => setSource(one)} aria-label={`Unmerge ${nameOf(one)}`}>
                Unmerge…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {source && <ConfirmUnmerge source={source} target={overview} onClose={() => setSource(undefined)} />}
    </Section>
  );
}

function Contradicted({ entityId }: { readonly entityId: string }) {
  const { data } = useTool('list_contradictions', { entity_id: entityId, limit: 10 });
  const [first] = data?.contradictions ?? [];
  if (first === undefined) return null;
  const fields = [...new Set(data?.contradictions.map(({ field }) => toLabel(field)))].join(', ');
  return (
    <Note tone="attention">
      <span>Sources disagree about {fields}.</span>
      <Link to="/truth/contradictions" search={{ id: first.contradiction_id }}>
        Compare the statements
      </Link>
    </Note>
  );
}

const isMissing = (error: unknown): boolean =>
  error instanceof ToolError && (error.code === 'ENTITY_NOT_FOUND' || error.code === 'VALIDATION_ERROR');

const NotFound = () => (
  <Frame title="Not found">
    <Empty title="No entity has this address.">
      <Link to="/truth">All entities</Link>
    </Empty>
  </Frame>
);

export function EntityDetail({ entityId }: { readonly entityId: string }) {
  const [{ at, as_known_at: asKnownAt, field, q, type, certificate }, setSearch] = useSearchState();
  const [correcting, setCorrecting] = useState<string>();
  const [isMerging, setMerging] = useState(false);
  const canWrite = useCan('write');
  const times = { ...(at !== undefined && { at }), ...(asKnownAt !== undefined && { as_known_at: asKnownAt }) };
  const isNow = at === undefined && asKnownAt === undefined;
  const { data, error, isPlaceholderData, refetch } = useTool(
    'get_entity_overview',
    { entity_id: entityId, ...times },
    { keepsPrevious: true },
  );
  if (certificate !== undefined) return <Forgotten certificateId={certificate} />;
  if (error && isNow && isMissing(error)) return <NotFound />;
  const overview = error ? undefined : data;
  const name = overview === undefined ? 'Entity' : displayName(overview.canonical_name, overview.fields);
  const onCorrect = canWrite && isNow ? setCorrecting : undefined;
  return (
    <Frame
      title={name}
      answer={overview && <OneLine overview={overview} field={field} />}
      actions={
        <>
          <Copy text={entityId} what="id" isNamed />
          {canWrite && isNow && overview && <Button onClick={() => setMerging(true)}>Merge…</Button>}
          {isNow && overview && (
            <ForgetAction
              entityId={entityId}
              onForgotten={(id) => setSearch({ certificate: id, field: undefined }, 'replace')}
            />
          )}
        </>
      }
    >
      <Link className="truth-back" to="/truth" search={{ ...(q && { q }), ...(type && { type }) }}>
        Back to the list
      </Link>
      <TimeScrubber entityId={entityId} />
      {error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {overview === undefined && error === null && <Loading />}
      {overview && (
        <div className="stack" aria-busy={isPlaceholderData}>
          {overview.redirected_from !== undefined && <Note>This address was merged into {name}.</Note>}
          {isNow && <Contradicted entityId={entityId} />}
          <Section title={isNow ? 'What is known' : 'What held then'}>
            {overview.fields.length === 0 ? (
              <p className="soft">No field has a value at this time.</p>
            ) : (
              <FieldTable entityId={entityId} fields={overview.fields} onCorrect={onCorrect} />
            )}
          </Section>
          <RawFields entityId={entityId} fields={overview.raw_fields} />
          <Neighbours entityId={overview.entity_id} name={name} at={at} asKnownAt={asKnownAt} />
          {isNow && <Merged overview={overview} />}
          {overview.truncated && <p className="soft">It has more fields or merged entities than are shown.</p>}
        </div>
      )}
      {field !== undefined && overview && (
        <HowWeKnow
          {...{ entityId, field, at, asKnownAt }}
          onCorrect={onCorrect && (() => onCorrect(field))}
          onClose={() => setSearch({ field: undefined })}
        />
      )}
      {correcting !== undefined && (
        <CorrectDialog
          entityId={entityId}
          field={correcting}
          value={overview?.fields.find((one) => one.field === correcting)?.value}
          isCut={overview?.fields.find((one) => one.field === correcting)?.shortened === true}
          onClose={() => setCorrecting(undefined)}
        />
      )}
      {isMerging && overview && <MergeDialog entity={overview} onClose={() => setMerging(false)} />}
    </Frame>
  );
}
