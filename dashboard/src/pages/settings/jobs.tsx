import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Badge } from '../../kit/feedback.tsx';
import { Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { SettingsFrame } from './frame.tsx';

type Jobs = Output<'jobs_list'>;

/** The progress of a job is no change of the store. */
const refreshMs = 3_000;

const steps = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

function everyText(seconds: number): string {
  const [size, unit] = steps.find(([length]) => seconds >= length) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return count === 1 ? `every ${unit}` : `every ${plural(count, unit)}`;
}

function JobState({ job }: { readonly job: Jobs['jobs'][number] }) {
  if (job.error !== undefined) return <Badge tone="danger">failed</Badge>;
  if (job.state === 'running') return <Badge tone="accent">running</Badge>;
  return <Badge>{job.state === 'elsewhere' ? 'another process' : 'waiting'}</Badge>;
}

const Table = ({ jobs }: { readonly jobs: Jobs['jobs'] }) => (
  <TableScroll name="Jobs table">
    <table>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          <th scope="col">Last run here</th>
          <th scope="col">Repeats</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.name}>
            <th scope="row">
              {job.name}
              <div className="soft">{job.about}</div>
            </th>
            <td>
              <JobState job={job} />
              {job.error && <div>{job.error}</div>}
            </td>
            <td>{job.startedAt ? <Time at={job.startedAt} /> : 'not yet'}</td>
            <td>{everyText(job.everySeconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

function Embedding({ embedding }: { readonly embedding: Jobs['embedding'] }) {
  if (embedding.length === 0) return <p className="soft">Nothing was searched in this process yet.</p>;
  return (
    <ul className="stack">
      {embedding.map(({ collection, embedded, pending }) => (
        <li key={collection}>
          <label className="field">
            <span>{collection}</span>
            <progress max={Math.max(1, embedded + pending)} value={pending === 0 ? Math.max(1, embedded) : embedded} />
            <small>
              {pending === 0 ? 'complete' : `${pending.toLocaleString()} wait`}, {embedded.toLocaleString()} embedded
            </small>
          </label>
        </li>
      ))}
    </ul>
  );
}

function Content() {
  const jobs = useTool('jobs_list', {}, { refreshMs });
  return (
    <Answer of={jobs}>
      {({ jobs: known, scrub, embedding, schema }) => (
        <>
          <Section title="Jobs of this process">
            <Table jobs={known} />
          </Section>
          <Section title="Semantic index">
            <Embedding embedding={embedding} />
          </Section>
          <Section title="Store">
            <dl className="facts">
              <dt>Schema</dt>
              <dd>migration {schema}</dd>
              <dt>Content check</dt>
              <dd>
                {scrub.damagedCount === 0
                  ? `no damage found; ${plural(scrub.rowsCount, 'row')} in this pass, ${plural(scrub.passesCount, 'pass', 'passes')} before`
                  : `${plural(scrub.damagedCount, 'damaged item')}: fourfold doctor --deep names them`}
              </dd>
            </dl>
          </Section>
        </>
      )}
    </Answer>
  );
}

export const Page = () => (
  <SettingsFrame title="Jobs" answer="Work that runs in the background, in one of the processes." needs="operator">
    {() => <Content />}
  </SettingsFrame>
);
