import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Loading } from '../../kit/feedback.tsx';
import { Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Since, toLabel, useEntityNames } from './value.tsx';

const Graph = lazy(async () => ({ default: (await import('./graph.tsx')).Graph }));

type Neighborhood = Output<'get_graph_neighborhood'>;

/** The time of the question goes along to the neighbours. */
type Times = { readonly at?: string; readonly as_known_at?: string };

const listCount = 100;
/** As many as one answer can have. */
const listMax = 1_000;

interface RelationsProps {
  readonly around: Neighborhood;
  readonly entityId: string;
  readonly times: Times;
}

function Relations({ around, entityId, times }: RelationsProps) {
  const names = new Map(around.entities.map((entity) => [entity.entity_id, entity]));
  const nameOf = useEntityNames([...names.keys()]);
  if (around.relationships.length === 0) return <p className="soft">Nothing is linked to it at this time.</p>;
  return (
    <ul aria-label="Neighbours" className="stack">
      {around.relationships.map((edge) => {
        const isOut = edge.source_entity_id === entityId;
        const other = isOut ? edge.target_entity_id : edge.source_entity_id;
        const named = names.get(other);
        const relation = toLabel(edge.relationship_type.toLowerCase());
        return (
          <li key={edge.id}>
            {isOut && <span className="soft">{relation} </span>}
            <Link to={`/truth/${other}` as never} search={times as never}>
              <bdi>{named === undefined ? other : nameOf(named)}</bdi>
            </Link>
            {!isOut && <span className="soft"> {relation} this</span>}
            {named && <small className="soft"> {toLabel(named.entity_type)}</small>}
            {edge.effective_at !== undefined && (
              <small className="soft">
                {' since '}
                <Since at={edge.effective_at} />
              </small>
            )}
            {edge.effective_until !== undefined && (
              <small className="soft">
                {' until '}
                <Since at={edge.effective_until} />
              </small>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Several sources can state the same date. */
const withoutRepeats = (events: Neighborhood['events']): Neighborhood['events'] => [
  ...new Map(events.map((event) => [`${event.source_field} ${event.value}`, event])).values(),
];

interface TimelineProps {
  readonly events: Neighborhood['events'];
  readonly onField: (field: string) => void;
}

const Timeline = ({ events, onField }: TimelineProps) =>
  events.length === 0 ? (
    <p className="soft">No field of it is the date of an event.</p>
  ) : (
    <ul aria-label="Timeline" className="stack">
      {withoutRepeats(events).map((event) => (
        <li key={event.id} className="row">
          <strong>
            <Since at={event.value} />
          </strong>
          <button
            type="button"
            className="value-button sourced"
            title="How do we know?"
            onClick={() => onField(event.source_field)}
          >
            {toLabel(event.source_field)}
          </button>
        </li>
      ))}
    </ul>
  );

interface NeighboursProps {
  readonly entityId: string;
  readonly name: string;
  readonly at: string | undefined;
  readonly asKnownAt: string | undefined;
}

/** Links as a list first; the graph is loaded on demand. */
export function Neighbours({ entityId, name, at, asKnownAt }: NeighboursProps) {
  const [{ graph }, setSearch] = useSearchState();
  const [limit, setLimit] = useState(listCount);
  const times = { ...(at !== undefined && { at }), ...(asKnownAt !== undefined && { as_known_at: asKnownAt }) };
  const around = useTool(
    'get_graph_neighborhood',
    { node_id: entityId, node_type: 'entity', limit, ...times },
    { keepsPrevious: true },
  );
  const isGraph = graph === '1';
  return (
    <Answer of={around}>
      {(data) => (
        <>
          <Section
            title="Neighbours"
            actions={
              data.relationships.length > 0 && (
                <Button aria-expanded={isGraph} onClick={() => setSearch({ graph: isGraph ? undefined : '1' })}>
                  {isGraph ? 'Hide graph' : 'Show graph'}
                </Button>
              )
            }
          >
            {isGraph && (
              <Suspense fallback={<Loading what="Drawing" />}>
                <Graph key={entityId} entityId={entityId} name={name} times={times} />
              </Suspense>
            )}
            <Relations around={data} entityId={data.node.id} times={times} />
          </Section>
          <Section title="Timeline">
            <Timeline events={data.events} onField={(field) => setSearch({ field })} />
          </Section>
          {data.truncated && (
            <div className="row wrap">
              <span className="soft">Only the newest {limit} of each are shown.</span>
              {limit < listMax && <Button onClick={() => setLimit(listMax)}>Show up to {listMax}</Button>}
            </div>
          )}
        </>
      )}
    </Answer>
  );
}
