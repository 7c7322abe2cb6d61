import { useDeferredValue, useState } from 'react';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm, Dialog } from '../../kit/dialog.tsx';
import { Answer } from '../../kit/feedback.tsx';
import { SearchField } from '../../kit/form.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { displayName, fieldsOf, plural, toLabel, useEntityNames } from './value.tsx';

export interface NamedEntity {
  readonly entity_id: string;
  readonly canonical_name: string;
}

interface PairProps {
  /** Becomes a part of the target. */
  readonly source: NamedEntity;
  readonly target: NamedEntity;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

const pairOf = ({ source, target }: Pick<PairProps, 'source' | 'target'>) => ({
  source_entity_id: source.entity_id,
  target_entity_id: target.entity_id,
});

function usePairNames({ source, target }: Pick<PairProps, 'source' | 'target'>): readonly [string, string] {
  const nameOf = useEntityNames([source.entity_id, target.entity_id]);
  return [nameOf(source), nameOf(target)];
}

/** Shows what a merge would do, then does it; the message offers to undo it. */
export function ConfirmMerge({ source, target, onClose, onDone }: PairProps) {
  const preview = useTool('merge_entities', { ...pairOf({ source, target }), dry_run: true });
  const merge = useToolAction('merge_entities');
  const [from, into] = usePairNames({ source, target });
  const unmerge = useToolAction('unmerge_entities');
  async function confirm() {
    await merge.mutateAsync(pairOf({ source, target }));
    say(`${from} is now a part of ${into}.`, () => {
      unmerge.mutateAsync(pairOf({ source, target })).then(() => say('The merge was undone.'), sayError);
    });
    onDone?.();
  }
  return (
    <Confirm title={`Merge ${from} into ${into}`} action="Merge" onClose={onClose} onConfirm={confirm}>
      <Answer of={preview}>
        {({ observations_moved, relationships_moved, observation_count }) => (
          <>
            <ul>
              <li>
                {plural(observations_moved, 'statement')} {observations_moved === 1 ? 'is' : 'are'} added;{' '}
                {observation_count} in total.
              </li>
              <li>
                {plural(relationships_moved, 'relationship')} {relationships_moved === 1 ? 'moves' : 'move'}.
              </li>
              <li>
                The address of {from} leads to {into}.
              </li>
            </ul>
            <p className="soft">Nothing is lost, and the merge can be undone at any time.</p>
          </>
        )}
      </Answer>
    </Confirm>
  );
}

/** Shows what is separated again. */
export function ConfirmUnmerge({ source, target, onClose }: PairProps) {
  const preview = useTool('unmerge_entities', { ...pairOf({ source, target }), dry_run: true });
  const [from, into] = usePairNames({ source, target });
  const unmerge = useToolAction('unmerge_entities');
  return (
    <Confirm
      title={`Separate ${from} from ${into}`}
      action="Unmerge"
      onClose={onClose}
      onConfirm={async () => {
        await unmerge.mutateAsync(pairOf({ source, target }));
        say(`${from} is an entity of its own again.`);
      }}
    >
      <Answer of={preview}>
        {({ observation_count, target_observation_count, relationships_moved }) => (
          <ul>
            <li>
              {plural(observation_count, 'statement')} {observation_count === 1 ? 'goes' : 'go'} back to {from};{' '}
              {target_observation_count} stay.
            </li>
            <li>
              {plural(relationships_moved, 'relationship')} {relationships_moved === 1 ? 'moves' : 'move'}.
            </li>
          </ul>
        )}
      </Answer>
    </Confirm>
  );
}

interface MergeDialogProps {
  readonly entity: NamedEntity & { readonly entity_type: string };
  readonly onClose: () => void;
}

/** Chooses the entity that is the same thing, then asks. */
export function MergeDialog({ entity, onClose }: MergeDialogProps) {
  const [text, setText] = useState('');
  const [source, setSource] = useState<NamedEntity>();
  const query = useDeferredValue(text.trim());
  const found = useTool(
    'retrieve_entities',
    { entity_type: entity.entity_type, limit: 10, brief: true, ...(query !== '' && { query }) },
    { keepsPrevious: true },
  );
  if (source !== undefined) return <ConfirmMerge source={source} target={entity} onClose={onClose} />;
  return (
    <Dialog title={`Which ${toLabel(entity.entity_type)} is the same?`} onClose={onClose}>
      <SearchField label="Search entities to merge" value={text} onChange={setText} />
      <Answer of={found}>
        {({ entities }) => (
          <ul className="stack">
            {entities
              .filter(({ entity_id }) => entity_id !== entity.entity_id)
              .map((one) => (
                <li key={one.entity_id}>
                  <Button onClick={() => setSource(one)}>
                    <bdi>{displayName(one.canonical_name, fieldsOf(one.snapshot))}</bdi>
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </Answer>
    </Dialog>
  );
}
