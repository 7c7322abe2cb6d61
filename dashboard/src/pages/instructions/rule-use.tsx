import { useTool } from '../../api/use-tool.ts';
import { Actor } from '../../kit/actor.tsx';
import { Answer, Badge, Note } from '../../kit/feedback.tsx';
import { Section } from '../../kit/page.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';

interface ServedCount {
  readonly appliesCount: number;
  readonly mayApplyCount: number;
  readonly lastServedAt: string;
}

/** The part of `instructions/inspect` that this page shows. */
interface UseFacts {
  readonly counts: readonly { readonly usageCount: number; readonly lastUsedAt?: string }[];
  readonly signals: { readonly open: Readonly<Record<string, number>>; readonly total: unknown };
  readonly comments: readonly {
    readonly by?: string;
    readonly at: string;
    readonly signal?: string;
    readonly comment: string;
  }[];
  readonly served:
    | (ServedCount & {
        readonly to: readonly (ServedCount & { readonly actor: string; readonly workspace?: string })[];
      })
    | null;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString()} times`);

/** Who got the rule, how often it was used, and what agents say about it. */
export function RuleUse({ id }: { readonly id: string }) {
  const usage = useTool('instructions_inspect', { id, scope: 'usage' });
  return (
    <Answer of={usage}>
      {({ data }) => {
        const { counts, signals, comments, served } = data.raw as unknown as UseFacts;
        const [used] = counts;
        const open = Object.entries(signals.open);
        return (
          <>
            <Section title="Given to agents">
              {served === null ? (
                <p className="soft">
                  {data.validation['isServingRecorded'] === false
                    ? 'Which rules agents get is not recorded on this server.'
                    : 'No agent has got this rule yet.'}
                </p>
              ) : (
                <>
                  <p>
                    It applied {times(served.appliesCount)}
                    {served.mayApplyCount > 0 && <> and might have applied {times(served.mayApplyCount)}</>}; last{' '}
                    <Time at={served.lastServedAt} />.
                  </p>
                  <TableScroll name="Agents that got the rule">
                    <table>
                      <thead>
                        <tr>
                          <th>Agent</th>
                          <th>Workspace</th>
                          <th className="number">Applies</th>
                          <th className="number">May apply</th>
                          <th>Last</th>
                        </tr>
                      </thead>
                      <tbody>
                        {served.to.map((row) => (
                          <tr key={`${row.actor} ${row.workspace ?? ''}`}>
                            <td>
                              <Actor of={row.actor} />
                            </td>
                            <td>
                              <bdi>{row.workspace}</bdi>
                            </td>
                            <td className="number">{row.appliesCount}</td>
                            <td className="number">{row.mayApplyCount}</td>
                            <td>
                              <Time at={row.lastServedAt} />
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </TableScroll>
                </>
              )}
            </Section>
            <Section title="Used">
              <p>
                {used === undefined || used.usageCount === 0 ? (
                  <span className="soft">No agent has reported a use.</span>
                ) : (
                  <>
                    Reported {times(used.usageCount)}
                    {used.lastUsedAt && (
                      <>
                        , last <Time at={used.lastUsedAt} />
                      </>
                    )}
                    .
                  </>
                )}
              </p>
            </Section>
            <Section title="Signals">
              {open.length === 0 ? (
                <p className="soft">No open signal. Agents send them with usage_track.</p>
              ) : (
                <div className="row wrap">
                  {open.map(([signal, count]) => (
                    <Badge key={signal} tone={signal === 'helpful' || signal === 'applied' ? 'ok' : 'attention'}>
                      {signal} {count}
                    </Badge>
                  ))}
                </div>
              )}
              {comments.map(({ by, at, signal, comment }) => (
                <Note key={`${at} ${comment}`}>
                  <span dir="auto">{comment}</span>
                  <span className="soft">
                    {signal && <Badge>{signal}</Badge>} {by && <Actor of={by} />} <Time at={at} />
                  </span>
                </Note>
              ))}
            </Section>
          </>
        );
      }}
    </Answer>
  );
}
