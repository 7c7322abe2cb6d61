import { httpLines } from '../../../../src/surfaces/http/connect-lines.ts';
import { useCaller } from '../../api/caller.tsx';
import { Copy } from '../../kit/copy.tsx';

/** What to paste where, with the key if it is known. */
export function ClientLines({ apiKey }: { readonly apiKey?: string }) {
  const { server } = useCaller();
  const mcpUrl = `${location.origin}/mcp`;
  const lines = httpLines({ mcpUrl, needsKey: server.auth, ...(apiKey !== undefined && { key: apiKey }) });
  return (
    <div className="stack">
      {lines.map(({ client, place, text }) => (
        <div className="client" key={client}>
          <div className="row wrap">
            <strong>{client}</strong>
            <span className="soft">{place}</span>
            <span className="push" />
            <Copy text={text} what={`the lines for ${client}`} />
          </div>
          <pre className="code">{text}</pre>
        </div>
      ))}
    </div>
  );
}
