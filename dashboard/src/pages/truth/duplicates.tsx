import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolPages } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Empty, ErrorNote, Loading } from '../../kit/feedback.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { EntityCard } from './entity-card.tsx';
import { ConfirmMerge, type NamedEntity } from './merge-dialog.tsx';
import { TruthFrame } from './truth-frame.tsx';
import { plural, toLabel, useEntityNames } from './value.tsx';

type Group = Output<'list_potential_duplicates'>['duplicates'][number];

const keyOf = ({ entity_type, reason }: Group): string => `${entity_type} ${reason.match_key}`;

interface Pair {
  readonly source: NamedEntity;
  readonly target: NamedEntity;
}

/** Two entities with their values beside each other; of a larger group, two at a time. */
function Compare({ group, onMerged }: { readonly group: Group; readonly onMerged: () => void }) {
  const [pair, setPair] = useState<Pair>();
  const [other, setOther] = useState(1);
  const canWrite = useCan('write');
  const nameOf = useEntityNames(group.entities.map(({ entity_id }) => entity_id));
  const first = group.entities[0];
  const second = group.entities[Math.min(other, group.entities.length - 1)];
  if (first === undefined || second === undefined) return null;
  const sides = [
    { entity: first, rest: second },
    { entity: second, rest: first },
  ];
  return (
    <Frame title={`${nameOf(first)} and ${nameOf(second)}`} answer={group.reason.text}>
      <Link className="truth-back" to="/truth/duplicates">
        Back to the list
      </Link>
      {group.entities.length > 2 && (
        <div className="row wrap">
          <span className="soft">Compare with</span>
          {group.entities.slice(1).map((entity, i) => (
            <Button key={entity.entity_id} aria-pressed={other === i + 1} onClick={() => setOther(i + 1)}>
              {nameOf(entity)}
            </Button>
          ))}
        </div>
      )}
      <div className="compare">
        {sides.map(({ entity, rest }) => (
          <section key={entity.entity_id} aria-label={nameOf(entity)}>
            <EntityCard entityId={entity.entity_id} />
            {canWrite && (
              <Button onClick={() => setPair({ source: rest, target: entity })}>
                Keep {nameOf(entity)}, merge the other…
              </Button>
            )}
          </section>
        ))}
      </div>
      {pair && <ConfirmMerge {...pair} onClose={() => setPair(undefined)} onDone={onMerged} />}
    </Frame>
  );
}

export function Page() {
  const [{ pair }, setSearch] = useSearchState();
  const found = useToolPages('list_potential_duplicates', { limit: 50 }, ({ next_cursor: cursor }) =>
    cursor === undefined ? undefined : { cursor },
  );
  const groups = found.data?.pages.flatMap(({ duplicates }) => duplicates) ?? [];
  const shown = groups.find((group) => keyOf(group) === pair);
  const nameOf = useEntityNames(groups.flatMap(({ entities }) => entities.map(({ entity_id }) => entity_id)));
  return (
    <TruthFrame>
      <Split
        name="Potential duplicates"
        shows={pair === undefined ? 'list' : 'detail'}
        list={
          <>
            <h1 className="visually-hidden">Duplicates</h1>
            {found.error && found.data === undefined && (
              <ErrorNote error={found.error} onRetry={() => void found.refetch()} />
            )}
            {found.isPending && <Loading />}
            {found.data !== undefined && groups.length === 0 && (
              <Empty title="No entities look alike.">
                Entities of one type whose names are nearly the same wait here to be compared and merged.
              </Empty>
            )}
            <VirtualList
              name="Potential duplicates"
              items={groups}
              keyOf={keyOf}
              selectedKey={pair}
              onOpen={(group) => setSearch({ pair: keyOf(group) })}
              onEnd={found.hasNextPage && !found.isFetchingNextPage ? () => void found.fetchNextPage() : undefined}
              render={(group) => (
                <div>
                  <strong className="one-line truth-line">{group.entities.map(nameOf).join(' · ')}</strong>
                  <small className="soft one-line truth-line">
                    {toLabel(group.entity_type)} · {group.reason.text}
                  </small>
                </div>
              )}
            />
          </>
        }
        detail={
          shown === undefined ? (
            <Frame
              title="Duplicates"
              answer={
                groups.length === 0
                  ? undefined
                  : found.hasNextPage
                    ? `More than ${groups.length} groups of entities look alike.`
                    : `${plural(groups.length, 'group of entities looks', 'groups of entities look')} alike.`
              }
            >
              {groups.length > 0 && (
                <p className="soft">
                  Choose a group on the left to compare its entities, and merge those that are the same.
                </p>
              )}
            </Frame>
          ) : (
            <Compare key={pair} group={shown} onMerged={() => setSearch({ pair: undefined })} />
          )
        }
      />
    </TruthFrame>
  );
}
