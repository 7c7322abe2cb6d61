import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { SettingsFrame } from './frame.tsx';

type Connector = Output<'connectors_list'>['connectors'][number];

const tones = { pending: undefined, running: 'accent', completed: 'ok', failed: 'danger' } as const;

function LastRun({ run }: { readonly run: Connector['last_run'] }) {
  if (run === undefined) return <span className="soft">never</span>;
  const { records_added, records_updated, errors } = run.stats;
  return (
    <>
      <Badge tone={tones[run.status]}>{run.status}</Badge> <Time at={run.started_at} />
      <div className="soft">
        {plural(run.pages, 'page')}, {records_added} new, {records_updated} changed, {errors} failed
      </div>
      {run.error && <div>{run.error.message}</div>}
    </>
  );
}

interface RowProps {
  readonly connector: Connector;
  readonly onRemove: (connector: Connector) => void;
}

function Row({ connector, onRemove }: RowProps) {
  const { connector_id, provider, name, address, syncing, last_run } = connector;
  const sync = useToolAction('sync_provider_imports');
  const [mayWrite, isAdmin] = [useCan('write'), useCan('admin')];
  const run = (input: object, text: string) =>
    sync.mutate({ provider, connector_id, ...input }, { onSuccess: () => say(text), onError: sayError });
  return (
    <tr>
      <th scope="row">
        {name}
        <div className="soft">
          {provider}
          {address && `: ${address}`}
        </div>
      </th>
      <td>
        <LastRun run={last_run} />
      </td>
      <td className="number">
        <div className="row wrap">
          {mayWrite && !syncing && (
            <Button disabled={sync.isPending} onClick={() => run({}, `${name} is syncing.`)}>
              Sync now
            </Button>
          )}
          {mayWrite && syncing && last_run && (
            <Button onClick={() => run({ sync_run_id: last_run.sync_run_id, cancel: true }, `${name} stops soon.`)}>
              Cancel
            </Button>
          )}
          {isAdmin && (
            <Button kind="danger" onClick={() => onRemove(connector)} aria-label={`Remove ${name}`}>
              Remove
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
}

function Remove({ connector, onClose }: { readonly connector: Connector; readonly onClose: () => void }) {
  const remove = useToolAction('connectors_remove');
  return (
    <Confirm
      title={`Remove the connector ${connector.name}?`}
      action="Remove"
      isDanger
      onClose={onClose}
      onConfirm={() => remove.mutateAsync({ connector_id: connector.connector_id })}
    >
      <p>Its password or token is deleted. What it brought in stays. You can connect it again on the command line.</p>
    </Confirm>
  );
}

function Content() {
  const connectors = useTool('connectors_list', {});
  const [removing, setRemoving] = useState<Connector>();
  return (
    <Answer of={connectors}>
      {({ connectors: known }) =>
        known.length === 0 ? (
          <Empty title="Nothing is connected yet." example="fourfold connectors add folder --address ~/Documents">
            A connector brings mail, calendars, folders and feeds into the truth memory. Passwords are entered on the
            command line, never here.
          </Empty>
        ) : (
          <Section title="Connectors">
            <TableScroll name="Connectors table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Connector</th>
                    <th scope="col">Last run</th>
                    <th scope="col">
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {known.map((connector) => (
                    <Row key={connector.connector_id} connector={connector} onRemove={setRemoving} />
                  ))}
                </tbody>
              </table>
            </TableScroll>
            {removing && <Remove connector={removing} onClose={() => setRemoving(undefined)} />}
          </Section>
        )
      }
    </Answer>
  );
}

export const Page = () => (
  <SettingsFrame title="Connectors" answer="What brings in data from other services." needs="read">
    {() => <Content />}
  </SettingsFrame>
);
