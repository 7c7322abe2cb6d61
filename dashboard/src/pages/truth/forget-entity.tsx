import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Answer, Badge, Note } from '../../kit/feedback.tsx';
import { Checkbox, TextField } from '../../kit/form.tsx';
import { Page as Frame, PageAnswer, Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { plural } from './value.tsx';

type ForgetAnswer = Output<'forget_entity'>;
type Preview = NonNullable<ForgetAnswer['preview']>;

const mentionsCount = 10;

/** "1 entity": the counts are named in the plural. */
const singular = (kind: string): string => (kind.endsWith('ies') ? `${kind.slice(0, -3)}y` : kind.replace(/s$/, ''));

const counted = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => plural(count, singular(kind), kind));

function WhatGoes({ preview }: { readonly preview: Preview }) {
  return (
    <>
      <p>Removed for good: {counted(preview.removes).join(', ')}.</p>
      {preview.blanks_total > 0 && (
        <p>{plural(preview.blanks_total, 'source')} that also speak of others lose the fields about it.</p>
      )}
      {preview.mentions_total > 0 && (
        <>
          <p>
            {plural(preview.mentions_total, 'other text')} {preview.mentions_total === 1 ? 'contains' : 'contain'} one
            of its names:
          </p>
          <ul className="stack">
            {preview.mentions.slice(0, mentionsCount).map(({ kind, id, text }) => (
              <li key={`${kind} ${id}`}>
                <Badge>{kind}</Badge> <bdi className="small">{text}</bdi>
              </li>
            ))}
            {preview.mentions_total > mentionsCount && (
              <li className="soft">and {preview.mentions_total - mentionsCount} more</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}

interface ForgetProps {
  readonly entityId: string;
  readonly onForgotten: (certificateId: string) => void;
}

function ForgetDialog({ entityId, onForgotten, onClose }: ForgetProps & { readonly onClose: () => void }) {
  const dryRun = useTool('forget_entity', { entity_id: entityId, dry_run: true }, { isLive: false });
  const forget = useToolAction('forget_entity');
  const [typed, setTyped] = useState('');
  const [includesMentions, setIncludesMentions] = useState(false);
  async function confirm() {
    const { certificate } = await forget.mutateAsync({
      entity_id: entityId,
      dry_run: false,
      include_mentions: includesMentions,
      confirm: typed,
    });
    if (certificate !== undefined) onForgotten(certificate.certificate_id);
  }
  return (
    <Confirm title="Forget for good" action="Forget" isDanger onClose={onClose} onConfirm={confirm}>
      <Answer of={dryRun}>
        {({ preview }) =>
          preview && (
            <>
              <WhatGoes preview={preview} />
              {preview.mentions_total > 0 && (
                <Checkbox
                  label="Also remove its names from these texts"
                  checked={includesMentions}
                  onChange={(event) => setIncludesMentions(event.target.checked)}
                />
              )}
              <p className="soft">This cannot be undone.</p>
              <TextField
                label={`Type ${preview.name} to confirm`}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                required
              />
            </>
          )
        }
      </Answer>
    </Confirm>
  );
}

/** Only admins may forget. */
export function ForgetAction(props: ForgetProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useCan('admin')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Forget…</Button>
      {isOpen && <ForgetDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A certificate is pending until a job has removed the bytes. */
const refreshMs = 10_000;

/** Takes the place of the entity. Its address has the id of the certificate, so that it can be shown again. */
export function Forgotten({ certificateId }: { readonly certificateId: string }) {
  const found = useTool('get_forget_certificate', { id: certificateId }, { refreshMs });
  return (
    <PageAnswer of={found} title="Forgotten" what="Reading the certificate">
      {(certificate) => (
        <Frame
          title="Forgotten"
          answer={
            <>
              {certificate.status === 'complete'
                ? 'Its bytes have left the store.'
                : 'Its bytes still have to leave the store.'}{' '}
              Forgotten <Time at={certificate.forgotten_at} />.
            </>
          }
          actions={<Copy text={JSON.stringify(certificate, null, 2)} what="certificate" isNamed />}
        >
          <Link className="truth-back" to="/truth">
            Back to the list
          </Link>
          {certificate.pending.map((left) => (
            <Note key={left} tone="attention">
              {left}
            </Note>
          ))}
          <Section title="Certificate">
            <dl className="facts">
              <dt>Id</dt>
              <dd className="mono">{certificate.certificate_id}</dd>
              <dt>Removed</dt>
              <dd>{counted(certificate.removed).join(', ')}</dd>
              <dt>Sources without its fields</dt>
              <dd>{certificate.blanked_sources}</dd>
              <dt>Other texts with a name</dt>
              <dd>
                {certificate.mentions_found}
                {certificate.mentions_found > 0 && (certificate.mentions_removed ? ', removed' : ', kept')}
              </dd>
              <dt>Redacted audit rows</dt>
              <dd>{certificate.redacted_audit_rows}</dd>
              <dt>Proof of what it was</dt>
              <dd className="mono">{certificate.subject}</dd>
            </dl>
          </Section>
          <Section title="Where copies may be left">
            <ul className="plain-list">
              {certificate.not_reached.map((place) => (
                <li key={place}>{place}</li>
              ))}
            </ul>
          </Section>
        </Frame>
      )}
    </PageAnswer>
  );
}
