import { useCaller } from '../../api/caller.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Go } from '../../kit/go.tsx';
import { Section } from '../../kit/page.tsx';
import { ClientLines } from './client-lines.tsx';
import { SettingsFrame, useMaySee } from './frame.tsx';

function HowToGetKey() {
  const isAdmin = useMaySee('admin');
  const { server } = useCaller();
  if (!server.auth) return <p className="soft">This server needs no key; only this machine can reach it.</p>;
  return isAdmin ? (
    <p>
      <Go to="/settings/keys?create=1">Create a key</Go> for each client: the lines below then contain it.
    </p>
  ) : (
    <p className="soft">Put your key in the place of YOUR_KEY. An administrator of your tenant creates keys.</p>
  );
}

export const Page = () => (
  <SettingsFrame title="Connect a client" answer="An agent reaches the memories over MCP." needs="read">
    {() => (
      <>
        <Section title="Address">
          <div className="key-text">
            <code>{`${location.origin}/mcp`}</code>
            <Copy text={`${location.origin}/mcp`} what="address" />
          </div>
          <HowToGetKey />
        </Section>
        <Section title="Lines for clients">
          <ClientLines />
        </Section>
      </>
    )}
  </SettingsFrame>
);
