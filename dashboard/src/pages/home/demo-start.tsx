import { useState } from 'react';
import { ToolError } from '../../api/call.ts';
import { useCan } from '../../api/caller.tsx';
import { useTool, useToolAction } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { say } from '../../kit/toast.tsx';

/** As the server names it. */
const demoName = /^demo-[0-9a-f]{12}$/;

/** An example company for a person who looks around, in a tenant of its own. */
export function DemoStart() {
  const create = useToolAction('demo_create');
  const remove = useToolAction('demo_remove');
  const [link, setLink] = useState<string>();
  const isOperator = useCan('operator');
  const canWrite = useCan('write');
  const mayUse = isOperator && canWrite;
  const tenants = useTool('tenants_list', { limit: 200 }, { enabled: mayUse });
  if (!mayUse || tenants.isPending) return null;
  const existing = tenants.data?.tenants.find(({ tenant }) => demoName.test(tenant))?.tenant;
  const exists =
    link !== undefined || existing !== undefined || (create.error instanceof ToolError && create.error.status === 409);
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
      {link === undefined && existing === undefined && (
        <p>Look around in an example company. It has a tenant of its own and can be removed again.</p>
      )}
      {link === undefined && existing !== undefined && (
        <p>
          The example company exists. <code>fourfold link --tenant {existing}</code> prints a link that signs a browser
          in to it. <Copy text={`fourfold link --tenant ${existing}`} what="the command" />
        </p>
      )}
      {link !== undefined && (
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
