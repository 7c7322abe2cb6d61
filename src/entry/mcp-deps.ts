import type { App } from '#app/compose.ts';
import type { Settings } from '#config/settings.ts';
import type { McpDeps } from '#surfaces/mcp/mcp-deps.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3b5bdb" d="M1 1h6v6H1z"/><path fill="#0ca678" d="M9 1h6v6H9z"/><path fill="#f08c00" d="M1 9h6v6H1z"/><path fill="#c2255c" d="M9 9h6v6H9z"/></svg>';

/** Four squares, one per memory. */
const icon = {
  src: `data:image/svg+xml,${encodeURIComponent(drawing)}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
} as const;

/** Agents read this before their first call. */
const instructions = `Fourfold keeps four memories for you: instructions (how things are done here), knowledge (docs and templates), notebooks (your scratchpads) and truth (what is so, with its source).
Before you begin a task, call instructions_applicable with the task in your own words and the files you will work on. It returns the rules of this team that apply; mandatory ones are binding. Ask again when the task or the files change. If nothing applies, instructions_search finds rules by words.
Only a few tools are listed. When none of them does what you need, call tools_find with a few words of what you want, then tools_call with the name it gave you.
Lists and searches answer a page and a cursor; pass the cursor to go on. An error says what to do about it. A call that writes may carry an idempotency key in _meta.idempotencyKey: sent again with the same key, it happens once.`;

function toToolsets(toolsets: readonly string[] | undefined): McpDeps['listing']['toolsets'] {
  if (toolsets === undefined || toolsets.length === 0) return 'default';
  return toolsets.includes('all') ? 'all' : toolsets;
}

const keepsSessions = (settings: Settings): boolean =>
  settings.httpSessions === 'auto' ? settings.databaseUrl === undefined : settings.httpSessions === 'on';

export const toMcpDeps = (app: App, settings: Settings): McpDeps => ({
  registry: app.registry,
  invoke: app.invoke,
  permits: app.permits,
  ids: app.ids,
  clock: app.clock,
  log: app.log,
  server: { name: 'fourfold', title: 'Fourfold', version: app.version, icons: [icon] },
  instructions,
  listing: { toolNames: settings.toolNames, toolsets: toToolsets(settings.toolsets), readOnly: settings.readOnly },
  resources: app.resources,
  prompts: app.prompts,
  skills: app.skills,
  changes: app.changes,
  idleKeepaliveMs: settings.idleKeepaliveMs,
  httpSessions: keepsSessions(settings),
});
