export interface ConnectLine {
  readonly client: string;
  readonly place: string;
  readonly text: string;
}

export interface ConnectFacts {
  readonly mcpUrl: string;
  readonly needsKey: boolean;
  readonly stdioCommand: readonly string[];
  /**
   * Shown once, to the person who started the server; other places show a placeholder.
   */
  readonly key?: string;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** Quotes a word only if the shell needs it. */
const toShell = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=@\\-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');

/** Over stdio the client starts its own process on the same data folder: no server, no key. */
function stdioLines(stdioCommand: readonly string[]): readonly ConnectLine[] {
  const [command = 'fourfold', ...args] = stdioCommand;
  const server = args.length === 0 ? { command } : { command, args };
  return [
    {
      client: 'Claude Code over stdio',
      place: 'in a terminal',
      text: `claude mcp add fourfold -- ${toShell(stdioCommand)}`,
    },
    {
      client: 'Claude Desktop over stdio',
      place: 'claude_desktop_config.json',
      text: json({ mcpServers: { fourfold: server } }),
    },
    {
      client: 'VS Code over stdio',
      place: '.vscode/mcp.json',
      text: json({ servers: { fourfold: { type: 'stdio', ...server } } }),
    },
    { client: 'Cursor over stdio', place: '~/.cursor/mcp.json', text: json({ mcpServers: { fourfold: server } }) },
  ];
}

/** Over HTTP the client needs the address of the server and, if it asks for one, a key. */
export function httpLines({
  mcpUrl,
  needsKey,
  key = 'YOUR_KEY',
}: Omit<ConnectFacts, 'stdioCommand'>): readonly ConnectLine[] {
  const headers = needsKey ? { headers: { Authorization: `Bearer ${key}` } } : {};
  // VS Code prompts for the key once and stores it, so the key is not in a project file.
  const prompted = needsKey ? { headers: { Authorization: `Bearer \${input:fourfold-key}` } } : {};
  const inputs = [{ type: 'promptString', id: 'fourfold-key', description: 'Fourfold key', password: true }];
  const header = needsKey ? ` --header "Authorization: Bearer ${key}"` : '';
  return [
    {
      client: 'Claude Code over HTTP',
      place: 'in a terminal',
      text: `claude mcp add --transport http fourfold ${mcpUrl}${header}`,
    },
    {
      client: 'VS Code over HTTP',
      place: '.vscode/mcp.json',
      text: json({ servers: { fourfold: { type: 'http', url: mcpUrl, ...prompted } }, ...(needsKey && { inputs }) }),
    },
    {
      client: 'Cursor over HTTP',
      place: '~/.cursor/mcp.json',
      text: json({ mcpServers: { fourfold: { url: mcpUrl, ...headers } } }),
    },
  ];
}

/** What to paste where. Claude Desktop's config file supports stdio only. */
export const toConnectLines = (facts: ConnectFacts): readonly ConnectLine[] => [
  ...httpLines(facts),
  ...stdioLines(facts.stdioCommand),
];
