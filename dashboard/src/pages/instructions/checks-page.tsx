import type { ReactNode } from 'react';
import { useCaller } from '../../api/caller.tsx';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Badge, Empty, Note } from '../../kit/feedback.tsx';
import { Page as Frame, Section } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { InstructionsFrame, RuleLink } from './nav.tsx';
import { countRules } from './rule-facts.tsx';

const Result = ({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }) => (
  <p>
    <Badge tone={isGood ? 'ok' : 'danger'}>{isGood ? 'passed' : 'failed'}</Badge> {children}
  </p>
);

const localTenant = 'local';
const onlyLocal = 'Only the tenant of the operator has such a file.';

const gatesExample =
  '{"gates": [{"id": "reviews-on-time", "where": {"reviewOverdue": true}, "op": "==", "value": 0, "severity": "error"}]}';

function Gates() {
  const gates = useTool('gates_evaluate', {});
  const isLocal = useCaller().tenant === localTenant;
  return (
    <Answer of={gates}>
      {({ results, notConfigured }) =>
        notConfigured ? (
          <Empty title="No gates are set up." {...(isLocal && { example: gatesExample })}>
            <p>
              A gate counts rules and fails a build if there are too many or too few.{' '}
              {isLocal ? 'Put them into gates.json in the folder of the rules:' : onlyLocal}
            </p>
          </Empty>
        ) : (
          <TableScroll name="Gates table">
            <table>
              <thead>
                <tr>
                  <th>Gate</th>
                  <th>Result</th>
                  <th className="number">Count</th>
                  <th>Must be</th>
                  <th>Weight</th>
                </tr>
              </thead>
              <tbody>
                {results.map(({ id, passed, count, op, value, severity, description }) => (
                  <tr key={id}>
                    <td>
                      <bdi>{id}</bdi>
                      {description && <div className="soft">{description}</div>}
                    </td>
                    <td>
                      <Badge tone={passed ? 'ok' : severity === 'error' ? 'danger' : 'attention'}>
                        {passed ? 'passed' : 'failed'}
                      </Badge>
                    </td>
                    <td className="number">{count}</td>
                    <td>
                      {op} {value}
                    </td>
                    <td>{severity}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
        )
      }
    </Answer>
  );
}

function Hashes() {
  const verified = useTool('integrity_verify', {});
  return (
    <Answer of={verified}>
      {({ count, issues, issueCount }) => (
        <>
          <Result isGood={issueCount === 0}>
            {issueCount === 0
              ? `The text of ${countRules(count)} matches its recorded hash.`
              : `${countRules(issueCount)} of ${count} were edited outside the program.`}
          </Result>
          <ul>
            {issues.map(({ id }) => (
              <li key={id}>
                <RuleLink id={id} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Answer>
  );
}

function Drift() {
  const manifest = useTool('integrity_manifest', {});
  const isLocal = useCaller().tenant === localTenant;
  return (
    <Answer of={manifest}>
      {({ manifest: state, drift, details, problem }) => {
        if (state === 'missing') {
          return (
            <Empty
              title="There is no snapshot to compare with."
              {...(isLocal && { example: 'fourfold instructions snapshot' })}
            >
              <p>
                A snapshot records the catalog of a release, so that later changes stand out. {!isLocal && onlyLocal}
              </p>
            </Empty>
          );
        }
        return (
          <>
            <Result isGood={state === 'present' && drift === 0}>
              {problem ??
                (drift === 0
                  ? 'Nothing changed since the snapshot.'
                  : `${countRules(drift)} changed since the snapshot.`)}
            </Result>
            <ul>
              {details.map(({ id, change }) => (
                <li key={id}>
                  <RuleLink id={id} /> <span className="soft">{change}</span>
                </li>
              ))}
            </ul>
          </>
        );
      }}
    </Answer>
  );
}

function Files() {
  const folder = useTool('instructions_dir', { limit: 1 });
  return (
    <Answer of={folder}>
      {({ problems, filesCount }) => (
        <>
          <Result isGood={problems.length === 0}>
            {problems.length === 0 ? `All ${filesCount} can be read.` : `${problems.length} cannot be served.`}
          </Result>
          {problems.map(({ file, problem }) => (
            <Note tone="danger" key={file}>
              <bdi className="mono">{file}</bdi>
              <span>{problem}</span>
            </Note>
          ))}
        </>
      )}
    </Answer>
  );
}

export const Page = () => (
  <InstructionsFrame>
    <Frame title="Checks" answer="Whether the catalog meets its policies, and whether anything was changed unnoticed.">
      <Section title="Gates">
        <Gates />
      </Section>
      <Section title="Recorded hashes">
        <Hashes />
      </Section>
      <Section title="Since the snapshot">
        <Drift />
      </Section>
      <Section title="Files">
        <Files />
      </Section>
    </Frame>
  </InstructionsFrame>
);
