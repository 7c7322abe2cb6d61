import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useToolAction } from '../../api/use-tool.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/form.tsx';

interface NewPadProps {
  readonly namespace: string;
  readonly onClose: () => void;
}

export function NewPad({ namespace: given, onClose }: NewPadProps) {
  const [title, setTitle] = useState('');
  const [id, setId] = useState('');
  const [namespace, setNamespace] = useState(given);
  const create = useToolAction('scratch_create');
  const navigate = useNavigate();

  async function submit() {
    const { scratchpad } = await create.mutateAsync({
      ...(id.trim() !== '' && { scratch_id: id.trim() }),
      metadata: { ...(title !== '' && { title }), ...(namespace !== '' && { namespace }) },
      if_exists: 'fail',
    });
    void navigate({ to: `/notebooks/${encodeURIComponent(scratchpad.scratch_id)}` } as never);
  }

  return (
    <Confirm title="New scratchpad" action="Create" onConfirm={submit} onClose={onClose}>
      <TextField label="Title" value={title} onChange={(event) => setTitle(event.target.value)} />
      <TextField
        label="Id"
        hint="Letters, digits, - and _. Generated if empty."
        value={id}
        onChange={(event) => setId(event.target.value)}
      />
      <TextField label="Namespace" value={namespace} onChange={(event) => setNamespace(event.target.value)} />
    </Confirm>
  );
}
