import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
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

const Timeline = ({ events }: { readonly events: Neighborhood['events'] }) =>
  events.length === 0 ? (
    <p className="soft">No field of it is the date of an event.</p>
  ) : (
    <ul aria-label="Timeline" className="stack">
      {events.map((event) => (
        <li key={event.id} className="row">
          <strong>
            <Since at={event.value} />
          </strong>
          <span>{toLabel(event.source_field)}</span>
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
  const times = { ...(at !== undefined && { at }), ...(asKnownAt !== undefined && { as_known_at: asKnownAt }) };
  const around = useTool(
    'get_graph_neighborhood',
    { node_id: entityId, node_type: 'entity', limit: listCount, ...times },
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
                <Graph entityId={entityId} name={name} times={times} />
              </Suspense>
            )}
            <Relations around={data} entityId={data.node.id} times={times} />
          </Section>
          <Section title="Timeline">
            <Timeline events={data.events} />
          </Section>
          {data.truncated && <p className="soft">Only the newest {listCount} of each are shown.</p>}
        </>
      )}
    </Answer>
  );
}
