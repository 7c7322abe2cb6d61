import { useState } from 'react';
import { useToolAction } from '../../api/use-tool.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { Checkbox, TextArea, TextField } from '../../kit/form.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import { toLabel, toText } from './value.tsx';

/** A text stays a text; numbers, lists and the like are written as JSON. */
function readValue(text: string, before: unknown): unknown {
  if (typeof before === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

interface CorrectDialogProps {
  readonly entityId: string;
  readonly field: string;
  readonly value: unknown;
  /** Only the beginning of the value is known here, so it is not offered for a change. */
  readonly isCut?: boolean;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Corrects one field; the message offers to take it back. */
export function CorrectDialog({ entityId, field, value, isCut = false, onClose, onDone }: CorrectDialogProps) {
  const correct = useToolAction('correct_entity');
  const retract = useToolAction('retract_statement');
  const [text, setText] = useState(() =>
    value === undefined || isCut ? '' : typeof value === 'string' ? value : JSON.stringify(value),
  );
  const [reason, setReason] = useState('');
  const [since, setSince] = useState('');
  const [untilNewer, setUntilNewer] = useState(false);

  async function confirm() {
    const next = readValue(text, value);
    const { correction_id: id } = await correct.mutateAsync({
      entity_id: entityId,
      fields: { [field]: next },
      ...(reason.trim() !== '' && { reason: reason.trim() }),
      ...(since.trim() !== '' && { effective_at: since.trim() }),
      ...(untilNewer && { until_newer: true }),
    });
    say(`${toLabel(field)} is now ${toText(next).slice(0, 80)}.`, () => {
      retract.mutateAsync({ id }).then(() => say('The correction was taken back.'), sayError);
    });
    onDone?.();
  }

  return (
    <Confirm title={`Correct ${toLabel(field)}`} action="Correct" onClose={onClose} onConfirm={confirm}>
      <TextArea label="Right value" value={text} onChange={(event) => setText(event.target.value)} required />
      <TextField
        label="Reason"
        value={reason}
        maxLength={2_000}
        onChange={(event) => setReason(event.target.value)}
        placeholder="How do you know?"
      />
      <TextField
        label="Right since"
        value={since}
        onChange={(event) => setSince(event.target.value)}
        placeholder="now"
        hint="A date in the past, such as 2026-05, corrects the past too."
      />
      <Checkbox
        label="Give way to newer documents"
        checked={untilNewer}
        onChange={(event) => setUntilNewer(event.target.checked)}
      />
      <p className="soft">
        The correction takes precedence over every other source
        {untilNewer ? ' until a newer statement is recorded' : ', also over later ones'}. It can be taken back.
      </p>
    </Confirm>
  );
}
