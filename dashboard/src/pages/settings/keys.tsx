import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { Time } from '../../kit/time.tsx';
import { say } from '../../kit/toast.tsx';
import { CreateKey } from './create-key.tsx';
import { SettingsFrame } from './frame.tsx';

type Key = Output<'keys_list'>['keys'][number];

const tones = { active: 'ok', revoked: undefined, expired: 'attention' } as const;

const actionOf = ({ purpose }: Key): string => (purpose === 'browser' ? 'End session' : 'Revoke');

const KeyRow = ({ shown, onRevoke }: { readonly shown: Key; readonly onRevoke: ((key: Key) => void) | undefined }) => (
  <tr>
    <th scope="row">
      <bdi>{shown.name}</bdi> {shown.isCaller && <Badge tone="accent">this browser</Badge>}
      <div className="soft mono wide-only">{shown.id}</div>
      <div className="soft key-facts">
        {[...shown.scopes, ...(shown.state === 'active' ? [] : [shown.state])].join(', ')},{' '}
        {shown.lastUsedAt ? (
          <>
            last used <Time at={shown.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </div>
    </th>
    <td className="wide-only">{shown.scopes.join(', ')}</td>
    {shown.purpose === 'key' && (
      <td className="wide-only">
        <Badge tone={tones[shown.state]}>{shown.state}</Badge>
      </td>
    )}
    <td className="wide-only">{shown.lastUsedAt ? <Time at={shown.lastUsedAt} /> : 'never'}</td>
    <td className="wide-only">
      <Time at={shown.createdAt} />
    </td>
    <td className="wide-only">{shown.expiresAt ? <Time at={shown.expiresAt} as="day" /> : 'never'}</td>
    <td className="number">
      {onRevoke && shown.state === 'active' && (
        <Button kind="danger" onClick={() => onRevoke(shown)} aria-label={`${actionOf(shown)} ${shown.name}`}>
          {actionOf(shown)}
        </Button>
      )}
    </td>
  </tr>
);

interface TableProps {
  readonly keys: readonly Key[];
  /** Only active browsers are listed, so they have no column for the state. */
  readonly hasState: boolean;
  readonly onRevoke: ((key: Key) => void) | undefined;
  readonly caption: string;
}

const KeyTable = ({ keys, hasState, onRevoke, caption }: TableProps) => (
  <TableScroll name={`${caption}, table`}>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className="wide-only">
            Scopes
          </th>
          {hasState && (
            <th scope="col" className="wide-only">
              State
            </th>
          )}
          <th scope="col" className="wide-only">
            Last used
          </th>
          <th scope="col" className="wide-only">
            Created
          </th>
          <th scope="col" className="wide-only">
            Expires
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} shown={key} onRevoke={onRevoke} />
        ))}
      </tbody>
    </table>
  </TableScroll>
);

interface RevokeProps {
  readonly shown: Key;
  readonly tenant: string | undefined;
  readonly onClose: () => void;
}

function Revoke({ shown, tenant, onClose }: RevokeProps) {
  const revoke = useToolAction('keys_revoke');
  const isBrowser = shown.purpose === 'browser';
  return (
    <Confirm
      title={isBrowser ? `End the session of ${shown.name}?` : `Revoke the key ${shown.name}?`}
      action={actionOf(shown)}
      isDanger
      onClose={onClose}
      onConfirm={async () => {
        await revoke.mutateAsync({ id: shown.id, ...(tenant && { tenant }) });
        say(isBrowser ? `The session of ${shown.name} has ended.` : `The key ${shown.name} is revoked.`);
      }}
    >
      <p>
        {isBrowser
          ? 'This browser has to sign in again.'
          : 'Every client and browser that uses it stops working immediately. This cannot be undone; create a new key instead.'}
        {shown.isCaller && ' You are signed in with it, so you will be signed out.'}
      </p>
    </Confirm>
  );
}

function Keys({ tenant }: { readonly tenant: string | undefined }) {
  const isAdmin = useCan('admin');
  const of = tenant === undefined ? {} : { tenant };
  const keys = useTool('keys_list', { purpose: 'key', limit: 500, ...of });
  const browsers = useTool('keys_list', { purpose: 'browser', limit: 500, ...of });
  const [revoking, setRevoking] = useState<Key>();
  const onRevoke = isAdmin ? setRevoking : undefined;
  return (
    <>
      <Answer of={keys} what="Reading the keys">
        {(data) => (
          <Section title={`Keys of ${data.tenant}`}>
            {data.keys.length === 0 ? (
              <Empty title="No key yet." example="fourfold keys create laptop --scopes write">
                A key lets one client or person use the memories of this tenant.
              </Empty>
            ) : (
              <KeyTable keys={data.keys} hasState onRevoke={onRevoke} caption={`Keys of ${data.tenant}`} />
            )}
            {data.nextCursor && <p className="soft">Older keys are not shown: fourfold keys list shows all of them.</p>}
          </Section>
        )}
      </Answer>
      <Answer of={browsers}>
        {(data) => {
          const active = data.keys.filter(({ state }) => state === 'active');
          return active.length === 0 ? null : (
            <Section title="Signed-in browsers">
              <KeyTable keys={active} hasState={false} onRevoke={onRevoke} caption="Signed-in browsers" />
            </Section>
          );
        }}
      </Answer>
      {revoking && <Revoke shown={revoking} tenant={tenant} onClose={() => setRevoking(undefined)} />}
    </>
  );
}

export function Page() {
  const isAdmin = useCan('admin');
  const [{ create, tenant }, setSearch] = useSearchState();
  const open = () => setSearch({ create: '1' });
  useShortcuts('Keys', isAdmin ? { c: { what: 'Create a key', run: open } } : {});
  return (
    <SettingsFrame
      title="Keys"
      answer="Who may use the memories, and when they last did."
      needs="admin"
      actions={
        isAdmin && (
          <Button kind="primary" shortcut="c" onClick={open}>
            Create key
          </Button>
        )
      }
    >
      {() => (
        <>
          <Keys tenant={tenant} />
          {create !== undefined && isAdmin && (
            <CreateKey tenant={tenant} onClose={() => setSearch({ create: undefined }, 'replace')} />
          )}
        </>
      )}
    </SettingsFrame>
  );
}
