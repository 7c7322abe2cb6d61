import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, Note } from '../../kit/feedback.tsx';
import { Time } from '../../kit/time.tsx';

type Report = Output<'audit_verify'>;

/** Runs only when it is asked to: it reads the whole trail. */
const useVerify = () => useTool('audit_verify', {}, { enabled: false, isLive: false });

const problems: Readonly<Record<Report['issues'][number]['problem'], string>> = {
  edited: 'was edited',
  missing: 'is missing',
  redacted: 'has lost its content, and no forgetting lists it',
  'head-mismatch': 'does not match the head of the trail',
  truncated: 'is the last one, but rows after it were cut off',
  'checkpoint-mismatch': 'does not match its checkpoint',
  'checkpoint-forged': 'a checkpoint was forged',
};

/** One line with the last checked row; the detail has the rest. */
export const VerifyBanner = () => {
  const { data, error } = useVerify();
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  const [first] = data.issues;
  return (
    <div className="audit-banner" role="status" data-tone={data.ok ? 'ok' : 'danger'}>
      {data.ok
        ? `Verified: all rows up to ${data.headSeq} are as written.`
        : `The trail does not verify${first ? `: row ${first.seq} ${problems[first.problem]}` : ''}.`}
    </div>
  );
};

export function VerifyButton() {
  const { isFetching, refetch } = useVerify();
  return (
    <Button disabled={isFetching} onClick={() => void refetch()}>
      {isFetching ? 'Verifying…' : 'Verify the trail'}
    </Button>
  );
}

function ReportNote({ report }: { readonly report: Report }) {
  const { ok, checked, rowsWithoutCheckpoint, withoutCheckpointSince, issues } = report;
  return (
    <Note tone={ok ? 'ok' : 'danger'}>
      <strong>
        {ok ? `All ${checked} rows are as they were written.` : 'The trail was changed after it was written.'}
      </strong>
      {issues.map(({ seq, problem }) => (
        <span key={`${seq} ${problem}`}>
          Row {seq} {problems[problem]}.
        </span>
      ))}
      {!ok && (
        <span>Keep the data folder as it is, and compare it with a backup: fourfold doctor --deep shows more.</span>
      )}
      {rowsWithoutCheckpoint > 0 && (
        <span className="soft">
          {rowsWithoutCheckpoint} new {rowsWithoutCheckpoint === 1 ? 'row has' : 'rows have'} no checkpoint outside the
          database yet
          {withoutCheckpointSince && (
            <>
              {' '}
              (oldest: <Time at={withoutCheckpointSince} />)
            </>
          )}
          .
        </span>
      )}
    </Note>
  );
}

export function VerifyReport() {
  const { data } = useVerify();
  return data && <ReportNote report={data} />;
}
