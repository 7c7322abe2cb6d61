import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Empty, ErrorNote, Note } from '../../kit/feedback.tsx';
import { Checkbox } from '../../kit/form.tsx';
import { Section } from '../../kit/page.tsx';
import { plural } from '../../kit/plural.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { SettingsFrame } from './frame.tsx';

type Backups = Output<'backup_list'>;

const toSize = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1_024))} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;

function BackUpNow() {
  const create = useToolAction('backup_create');
  const [withKeys, setWithKeys] = useState(false);
  const [filesOnly, setFilesOnly] = useState(false);
  return (
    <Section title="Back up now">
      <Checkbox
        label="Include the key file (needed to restore on another machine; store it as safely as the keys)"
        checked={withKeys}
        onChange={(event) => setWithKeys(event.target.checked)}
      />
      <Checkbox
        label="Files only (if the store is a PostgreSQL database, which pg_dump backs up)"
        checked={filesOnly}
        onChange={(event) => setFilesOnly(event.target.checked)}
      />
      <div className="row">
        <Button kind="primary" disabled={create.isPending} onClick={() => create.mutate({ withKeys, filesOnly })}>
          {create.isPending ? 'Backing up…' : 'Back up now'}
        </Button>
      </div>
      {create.error && <ErrorNote error={create.error} />}
      {create.data && (
        <Note tone="ok">
          <strong>
            {plural(create.data.files, 'file')}, {toSize(create.data.bytes)}, in {create.data.folder}
          </strong>
          {create.data.notIncluded && <span>Not included: {create.data.notIncluded}.</span>}
          {create.data.skipped.length > 0 && <span>Skipped: {create.data.skipped.join(', ')}.</span>}
        </Note>
      )}
    </Section>
  );
}

const Table = ({ backups }: { readonly backups: Backups['backups'] }) => (
  <TableScroll name="Backups table">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Content</th>
          <th scope="col" className="number">
            Size
          </th>
          <th scope="col">Folder</th>
        </tr>
      </thead>
      <tbody>
        {backups.map(({ folder, at, store, withKeys, bytes, problem }) => (
          <tr key={folder}>
            <td>{at ? <Time at={at} /> : 'unknown'}</td>
            <td>{problem ?? `${store === 'none' ? 'files' : 'store and files'}${withKeys ? ', with keys' : ''}`}</td>
            <td className="number">{bytes === undefined ? '' : toSize(bytes)}</td>
            <td className="mono">{folder}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

function Content() {
  const backups = useTool('backup_list', {}, { isLive: false });
  const mayWrite = useCan('admin');
  return (
    <>
      {mayWrite && <BackUpNow />}
      <Section title="Backups">
        <Answer of={backups}>
          {({ backups: known, folder, count }) =>
            known.length === 0 ? (
              <Empty title={`No backup in ${folder} yet.`} example="fourfold backup ../fourfold-backup" />
            ) : (
              <>
                <p className="soft">
                  {count} in {folder}. To restore one: fourfold restore &lt;folder&gt; --force
                </p>
                <Table backups={known} />
              </>
            )
          }
        </Answer>
      </Section>
    </>
  );
}

export const Page = () => (
  <SettingsFrame title="Backups" answer="A consistent copy of the store and its files." needs="operator">
    {() => <Content />}
  </SettingsFrame>
);
