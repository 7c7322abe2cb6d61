import { Link } from '@tanstack/react-router';
import { useCan } from '../../api/caller.tsx';
import { useTool } from '../../api/use-tool.ts';
import { Answer } from '../../kit/feedback.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { usePendingCount } from './nav.tsx';
import { countRules } from './rule-facts.tsx';

const LinkTo = ({ to, search, children }: { to: string; search?: Record<string, string>; children: string }) => (
  <Link to={to} {...(search && { search })}>
    {children}
  </Link>
);

/** What a lead wants to know before choosing a rule. */
export function RulesOverview() {
  const canWrite = useCan('write');
  const pending = usePendingCount();
  const all = useTool('instructions_query', { brief: true, facets: true, limit: 1 });
  const overdue = useTool('instructions_query', { brief: true, limit: 1, reviewOverdue: true });
  return (
    <Page
      title="Rules"
      answer={all.data && `${countRules(all.data.total)} for agents.`}
      actions={
        canWrite && (
          <Link className="button" to="/instructions/-/new">
            New rule
          </Link>
        )
      }
    >
      <Section title="Needs you">
        <ul className="stack">
          <li>
            {pending === undefined ? (
              <span className="soft">No proposal waits.</span>
            ) : (
              <LinkTo to="/instructions/-/proposals">{`${pending} ${pending === '1' ? 'proposal waits' : 'proposals wait'}`}</LinkTo>
            )}
          </li>
          <li>
            {overdue.data?.total ? (
              <LinkTo to="/instructions" search={{ overdue: '1' }}>
                {`${countRules(overdue.data.total)} with an overdue review`}
              </LinkTo>
            ) : (
              <span className="soft">No review is overdue.</span>
            )}
          </li>
        </ul>
      </Section>
      <Answer of={all}>
        {({ facets }) => (
          <div className="two-columns">
            {(
              [
                ['Owners', 'owner', facets?.owner],
                ['Categories', 'category', facets?.categories],
              ] as const
            )
              .filter(([, , values = []]) => values.length > 0)
              .map(([title, filter, values = []]) => (
                <Section title={title} key={title}>
                  <table>
                    <tbody>
                      {values.slice(0, 10).map(({ value, count }) => (
                        <tr key={value}>
                          <td>
                            <LinkTo to="/instructions" search={{ [filter]: value }}>
                              {value}
                            </LinkTo>
                          </td>
                          <td className="number">{count.toLocaleString()}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </Section>
              ))}
          </div>
        )}
      </Answer>
    </Page>
  );
}
