import { useState } from 'react';
import { useToolAction } from '../../api/use-tool.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { TextArea, TextField } from '../../kit/form.tsx';
import { say, sayError } from '../../kit/toast.tsx';
import type { Pad } from './drafts.ts';

/** Changes what a pad is called; the message offers to undo it. */
export function EditTitle({ pad, onClose }: { readonly pad: Pad; readonly onClose: () => void }) {
  const describe = useToolAction('scratch_describe');
  const [title, setTitle] = useState(pad.title ?? '');
  const [description, setDescription] = useState(pad.description ?? '');
  const { scratch_id } = pad;
  async function save() {
    await describe.mutateAsync({ scratch_id, title: title.trim(), description: description.trim() });
    say(`It is now called ${title.trim() || scratch_id}.`, () => {
      const before = { title: pad.title ?? '', description: pad.description ?? '' };
      describe.mutateAsync({ scratch_id, ...before }).catch(sayError);
    });
  }
  return (
    <Confirm title="Title and description" action="Save" onConfirm={save} onClose={onClose}>
      <TextField
        label="Title"
        hint={`Its id stays ${scratch_id}.`}
        value={title}
        maxLength={500}
        onChange={(event) => setTitle(event.target.value)}
      />
      <TextArea
        label="Description"
        value={description}
        maxLength={2_000}
        onChange={(event) => setDescription(event.target.value)}
      />
    </Confirm>
  );
}
