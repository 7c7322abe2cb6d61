import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Go } from '../../kit/go.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Page as Frame, PageAnswer, Section } from '../../kit/page.tsx';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { deedOf, nounOf, placeOf, tellingLabelOf } from './describe-change.ts';

type Shown = Output<'audit_show'>;

const signs: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed' };

/** Changed lines of a text; the sign stays, so that nothing depends on the colour. */
const Diff = ({ text }: { readonly text: string }) => (
  <pre className="code audit-diff">
    {text.split('\n').map((line, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
      <span key={i} data-line={signs[line[0] ?? '']}>
        {line}
        {'\n'}
      </span>
    ))}
  </pre>
);

const Fields = ({ fields }: { readonly fields: NonNullable<Shown['change']>['fields'] }) => (
  <TableScroll name="Changed fields table">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>
              <JsonTree value={before} />
            </td>
            <td>
              <JsonTree value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

function Change({ shown: { change, notKept } }: { readonly shown: Shown }) {
  if (change === undefined) return <p className="soft">{notKept}</p>;
  const isEmpty = change.fields.length === 0 && !change.diff;
  return (
    <>
      {isEmpty && <p className="soft">The visible content stayed the same.</p>}
      {change.diff && <Diff text={change.diff} />}
      {change.fields.length > 0 && <Fields fields={change.fields} />}
    </>
  );
}

function Detail({ shown, onBack }: { readonly shown: Shown; readonly onBack: () => void }) {
  const { row } = shown;
  const place = placeOf(row.topic, row.id);
  return (
    <Frame
      title={`${row.actorName} ${deedOf(row)} ${tellingLabelOf(row.topic, row) ?? ''}`}
      answer={
        <>
          <Time at={row.at} /> with {row.tool}
        </>
      }
      actions={
        <>
          {place && row.what !== 'delete' && (
            <Go className="button" to={place}>
              Open {nounOf(row.topic)}
            </Go>
          )}
          <Button onClick={onBack} shortcut="esc">
            Back
          </Button>
        </>
      }
    >
      <Section title="What changed">
        <Change shown={shown} />
      </Section>
      <Section title="Proof">
        <dl className="facts">
          <dt>Row</dt>
          <dd>{row.seq}</dd>
          <dt>Item</dt>
          <dd className="mono">{row.id}</dd>
          <dt>Actor</dt>
          <dd className="mono">{row.actor}</dd>
          <dt>Hash after</dt>
          <dd className="mono">
            {row.hash || 'none'} {row.hash && <Copy text={row.hash} what="hash" />}
          </dd>
          <dt>Chained to the row before</dt>
          <dd className="mono">{row.mac}</dd>
        </dl>
      </Section>
    </Frame>
  );
}

export function ChangeDetail({ seq, onBack }: { readonly seq: number; readonly onBack: () => void }) {
  const shown = useTool('audit_show', { seq }, { isLive: false });
  useShortcuts('Change', { Escape: { what: 'Back to the trail', run: onBack } });
  return (
    <PageAnswer of={shown} title="Change" what="Reading the change">
      {(data) => <Detail shown={data} onBack={onBack} />}
    </PageAnswer>
  );
}
