import { useParams } from '@tanstack/react-router';
import { Empty } from '../../kit/feedback.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Split } from '../../kit/split.tsx';
import { NotebooksFrame } from './notebooks-frame.tsx';
import { PadList } from './pad-list.tsx';
import { PadView } from './pad-view.tsx';

const Start = () => (
  <Frame title="Notebooks" answer="Scratchpads that agents and people write. Choose one, or press j and enter.">
    <Empty title="A scratchpad reads like a document." example="fourfold scratch create plan">
      Agents create scratchpads while they work. Every change of a cell is kept in its history.
    </Empty>
  </Frame>
);

export function Page() {
  const { scratchId } = useParams({ strict: false }) as { readonly scratchId?: string };
  return (
    <NotebooksFrame>
      <Split
        name="Notebooks"
        shows={scratchId === undefined ? 'list' : 'detail'}
        list={<PadList selectedId={scratchId} />}
        detail={scratchId === undefined ? <Start /> : <PadView key={scratchId} scratchId={scratchId} />}
      />
    </NotebooksFrame>
  );
}
