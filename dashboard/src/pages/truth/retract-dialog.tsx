import { useState } from 'react';
import { useToolAction } from '../../api/use-tool.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/form.tsx';
import { say, sayError } from '../../kit/toast.tsx';

interface RetractDialogProps {
  /** By which the statement is taken back. */
  readonly id: string;
  readonly sourceKind: 'payload' | 'record' | 'correction';
  /** What made the statement: "invoice", "company". */
  readonly what: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
}

/** Takes a statement back; the message offers to undo it, except for what was read from a file. */
export function RetractDialog({ id, sourceKind, what, onClose, onDone }: RetractDialogProps) {
  const retract = useToolAction('retract_statement');
  const restore = useToolAction('restore_statement');
  const [reason, setReason] = useState('');
  const canUndo = sourceKind !== 'record';
  async function confirm() {
    await retract.mutateAsync({ id, ...(reason.trim() !== '' && { reason: reason.trim() }) });
    const undo = () => void restore.mutateAsync({ id }).then(() => say('The statement counts again.'), sayError);
    say('The statement no longer counts. The history still shows it.', canUndo ? undo : undefined);
    onDone?.();
  }
  return (
    <Confirm title="Retract this statement" action="Retract" isDanger onClose={onClose} onConfirm={confirm}>
      <p>
        Everything that this {what} states stops counting from now on. Nothing is deleted: the history keeps it, and{' '}
        {canUndo ? 'you can undo it.' : 'each value can be stated again with Correct.'}
      </p>
      <TextField
        label="Reason"
        value={reason}
        maxLength={2_000}
        onChange={(event) => setReason(event.target.value)}
        placeholder="Why is it wrong?"
      />
    </Confirm>
  );
}
