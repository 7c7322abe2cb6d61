import { useState } from 'react';
import { ToolError } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { say } from '../../kit/toast.tsx';

/** An example company for a person who looks around, in a tenant of its own. */
export function DemoStart() {
  const create = useToolAction('demo_create');
  const remove = useToolAction('demo_remove');
  const [link, setLink] = useState<string>();
  const isOperator = useCan('operator');
  const canWrite = useCan('write');
  if (!isOperator || !canWrite) return null;
  const exists = link !== undefined || (create.error instanceof ToolError && create.error.status === 409);
  function removeIt() {
    remove.mutate(
      {},
      {
        onSuccess: () => {
          setLink(undefined);
          create.reset();
          say('The example company was removed.');
        },
      },
    );
  }
  return (
    <div className="stack">
      {link === undefined ? (
        <p>Look around in an example company. It has a tenant of its own and can be removed again.</p>
      ) : (
        <p>
          <a href={link}>Open the example company</a>. This signs you in to its tenant, once; use a private window to
          stay signed in here. <Copy text={link} what="the link" />
        </p>
      )}
      {create.error && <ErrorNote error={create.error} />}
      {remove.error && <ErrorNote error={remove.error} />}
      <div className="row">
        {!exists && (
          <Button
            disabled={create.isPending}
            onClick={() =>
              create.mutate({}, { onSuccess: ({ sign_in }) => setLink(`${location.origin}/sign-in#${sign_in}`) })
            }
          >
            {create.isPending ? 'Creating…' : 'Create the example company'}
          </Button>
        )}
        {exists && (
          <Button kind="danger" disabled={remove.isPending} onClick={removeIt}>
            Remove the example company
          </Button>
        )}
      </div>
    </div>
  );
}
