import { useParams } from '@tanstack/react-router';
import { Page as Frame, useTitle } from '../../kit/page.tsx';
import { Split } from '../../kit/split.tsx';
import { EntityDetail } from './entity-detail.tsx';
import { EntityList } from './entity-list.tsx';
import { TruthFrame } from './truth-frame.tsx';

function Nothing() {
  useTitle('Truth');
  return (
    <Frame title="Truth" answer="What is known about people, companies and things, and how it is known.">
      <p className="soft">Choose an entity on the left to see its values and where each comes from.</p>
    </Frame>
  );
}

export function Page() {
  const { entityId } = useParams({ strict: false }) as { readonly entityId?: string };
  return (
    <TruthFrame>
      <Split
        name="Entities"
        shows={entityId === undefined ? 'list' : 'detail'}
        list={<EntityList entityId={entityId} />}
        detail={entityId === undefined ? <Nothing /> : <EntityDetail key={entityId} entityId={entityId} />}
      />
    </TruthFrame>
  );
}
