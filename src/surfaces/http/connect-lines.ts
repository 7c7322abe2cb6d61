export interface ConnectLine {
  readonly client: string;
  /** Where it goes. */
  readonly place: string;
  readonly text: string;
}

export interface ConnectFacts {
  readonly mcpUrl: string;
  readonly needsKey: boolean;
  readonly stdioCommand: readonly string[];
  /** Shown to whoever started the server, once; the page leaves it out, being open to whoever reaches the port. */
  readonly key?: string;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** What to paste where. */
export function toConnectLines({
  mcpUrl,
  needsKey,
  stdioCommand,
  key = 'YOUR_KEY',
}: ConnectFacts): readonly ConnectLine[] {
  const [command = 'fourfold', ...args] = stdioCommand;
  const headers = needsKey ? { headers: { Authorization: `Bearer ${key}` } } : {};
  const prompted = needsKey
    ? {
        headers: { Authorization: `Bearer \${input:fourfold-key}` },
      }
    : {};
  const inputs = [{ type: 'promptString', id: 'fourfold-key', description: 'Fourfold key', password: true }];
  const header = needsKey ? ` --header "Authorization: Bearer ${key}"` : '';
  return [
    {
      client: 'Claude Code',
      place: 'in a terminal',
      text: `claude mcp add --transport http fourfold ${mcpUrl}${header}`,
    },
    {
      client: 'Claude Desktop',
      place: 'claude_desktop_config.json (over stdio, no key)',
      text: json({ mcpServers: { fourfold: args.length === 0 ? { command } : { command, args } } }),
    },
    {
      client: 'VS Code',
      place: '.vscode/mcp.json',
      text: json({
        servers: { fourfold: { type: 'http', url: mcpUrl, ...prompted } },
        ...(needsKey && { inputs }),
      }),
    },
    {
      client: 'Cursor',
      place: '~/.cursor/mcp.json',
      text: json({ mcpServers: { fourfold: { url: mcpUrl, ...headers } } }),
    },
  ];
}
