import { useCaller } from '../../api/caller.tsx';
import { Empty } from '../../kit/feedback.tsx';
import { Page as Frame, PageBody, useTitle } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Split } from '../../kit/split.tsx';
import './audit.css';
import { ChangeDetail } from './change-detail.tsx';
import { Trail } from './trail.tsx';
import { VerifyReport } from './verify.tsx';

const Forbidden = () => (
  <Frame title="Audit">
    <Empty title="The audit trail needs the scope admin." example="fourfold keys create lead --scopes admin">
      Your key cannot read it. An administrator can create a key that can.
    </Empty>
  </Frame>
);

const NothingChosen = () => (
  <PageBody>
    <VerifyReport />
    <p className="soft">Choose a change on the left to see what it replaced.</p>
  </PageBody>
);

export function Page() {
  useTitle('Audit');
  // Also on a server that only reads.
  const isAdmin = useCaller().scopes.includes('admin');
  const [{ seq }, setSearch] = useSearchState();
  if (!isAdmin) return <Forbidden />;
  const selected = Number(seq) || undefined;
  return (
    <Split
      name="Trail"
      shows={selected === undefined ? 'list' : 'detail'}
      list={<Trail selected={selected} onOpen={(row) => setSearch({ seq: String(row) })} />}
      detail={
        selected === undefined ? (
          <NothingChosen />
        ) : (
          <ChangeDetail seq={selected} onBack={() => setSearch({ seq: undefined })} />
        )
      }
    />
  );
}
