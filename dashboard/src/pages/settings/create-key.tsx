import { type SubmitEvent, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote, Note } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { ClientLines } from './client-lines.tsx';

const scopes = [
  { value: 'read', label: 'Read', hint: 'search and read all memories' },
  { value: 'write', label: 'Write', hint: 'also add and change; the usual choice for agents' },
  { value: 'admin', label: 'Admin', hint: 'also approve rules, read the audit trail and manage keys' },
] as const;
type Scope = (typeof scopes)[number]['value'];

const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;

type Created = Output<'keys_create'>;

/** The only moment at which the text of the key exists in the browser. */
const Shown = ({ created, onClose }: { readonly created: Created; readonly onClose: () => void }) => (
  <>
    <Note tone="attention">
      <strong>Copy it now: it is shown only this once.</strong>
      <span>The server stores no text from which it could be shown again.</span>
    </Note>
    <div className="key-text">
      <code data-testid="key">{created.key}</code>
      <Copy text={created.key} what="key" />
    </div>
    <h2>Use it in a client</h2>
    <ClientLines apiKey={created.key} />
    <footer>
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </footer>
  </>
);

interface FormProps {
  readonly tenant: string | undefined;
  readonly onCreated: (created: Created) => void;
  readonly onClose: () => void;
}

function Form({ tenant: given, onCreated, onClose }: FormProps) {
  const isOperator = useCan('operator');
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('write');
  const [expiry, setExpiry] = useState('');
  const [tenant, setTenant] = useState(given ?? '');
  const create = useToolAction('keys_create');
  function submit(event: SubmitEvent) {
    event.preventDefault();
    create.mutate(
      {
        name,
        scopes: [scope],
        ...(expiry !== '' && { expiresDays: Number(expiry) }),
        ...(tenant.trim() !== '' && { tenant: tenant.trim() }),
      },
      { onSuccess: onCreated },
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Name"
        hint="Who or what uses it; the audit trail shows this name."
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={100}
        required
        placeholder="build server"
      />
      <fieldset className="scopes">
        <legend>Scope</legend>
        {scopes.map(({ value, label, hint }) => (
          <label key={value}>
            <input type="radio" name="scope" value={value} checked={scope === value} onChange={() => setScope(value)} />
            <span>
              {label} <span className="soft">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label className="field">
        <span>Expires</span>
        <select className="input" value={expiry} onChange={(event) => setExpiry(event.target.value)}>
          {expiries.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {isOperator && (
        <TextField
          label="Tenant"
          hint="Empty: your own. A new name creates a tenant."
          value={tenant}
          onChange={(event) => setTenant(event.target.value)}
        />
      )}
      {create.error && <ErrorNote error={create.error} />}
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" disabled={create.isPending}>
          Create key
        </Button>
      </footer>
    </form>
  );
}

export function CreateKey({ tenant, onClose }: { readonly tenant: string | undefined; readonly onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  return (
    <Dialog title={created === undefined ? 'Create a key' : `Key ${created.name}`} onClose={onClose} size="wide">
      {created === undefined ? (
        <Form tenant={tenant} onCreated={setCreated} onClose={onClose} />
      ) : (
        <Shown created={created} onClose={onClose} />
      )}
    </Dialog>
  );
}
