import { Dialog as Base } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import type { Output } from './api/call.ts';
import { useCaller, useCan } from './api/caller.tsx';
import { useTool } from './api/use-tool.ts';
import { applyTheme, themes } from './kit/theme.ts';
import { sayError } from './kit/toast.tsx';
import { shippedLibrary, toPageLink } from './pages/knowledge/page-link.tsx';
import { places, signOut } from './rail.tsx';

interface Found {
  readonly key: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly memory?: 'instructions' | 'knowledge' | 'notebooks' | 'truth';
  /** An address of the dashboard, or what a command does. */
  readonly go: string | (() => void);
}

/** Each word that was typed is somewhere in the title. */
const isNamed = ({ title }: Found, typed: string): boolean =>
  typed.split(/\s+/).every((word) => title.toLowerCase().includes(word));

const memoryNames = { instructions: 'Rule', knowledge: 'Docs', notebooks: 'Note', truth: 'Fact' } as const;

const hitsPerMemory = 5;
const docTokens = 200;

type Needs = 'read' | 'write' | 'admin' | 'operator';

/** Pages that are not in the rail, and what can be begun on a page. */
const pages: readonly (Found & { readonly needs?: Needs })[] = [
  { key: 'keys', title: 'Keys: create or revoke', go: '/settings/keys', needs: 'admin' },
  { key: 'new-key', title: 'Create key', go: '/settings/keys?create=1', needs: 'admin' },
  { key: 'proposals', title: 'Proposals to approve', go: '/instructions/-/proposals' },
  { key: 'tester', title: 'What would an agent be told?', go: '/instructions/-/tester' },
  { key: 'new-rule', title: 'New rule', go: '/instructions/-/new', needs: 'write' },
  { key: 'import', title: 'Import rule files', go: '/instructions/-/import', needs: 'write' },
  { key: 'checks', title: 'Checks of the rules: gates and integrity', go: '/instructions/-/checks' },
  { key: 'archive', title: 'Removed rules', go: '/instructions/-/archive' },
  { key: 'docs', title: 'Search the docs', go: '/knowledge/-/search' },
  { key: 'add-library', title: 'Add a library of docs', go: '/knowledge?add=1', needs: 'write' },
  { key: 'duplicates', title: 'Potential duplicates', go: '/truth/duplicates' },
  { key: 'contradictions', title: 'Contradictions', go: '/truth/contradictions' },
  { key: 'records', title: 'Records and files', go: '/truth/records' },
  { key: 'trash', title: 'Trash: deleted notebooks', go: '/notebooks/-/trash' },
  { key: 'receipts', title: 'Receipts of recalls', go: '/recall/receipts' },
  { key: 'connect', title: 'Connect a client', go: '/settings/connect' },
  { key: 'connectors', title: 'Connectors', go: '/settings/connectors' },
  { key: 'metrics', title: 'Metrics', go: '/settings/metrics' },
  { key: 'tenants', title: 'Tenants', go: '/settings/tenants', needs: 'operator' },
  { key: 'backups', title: 'Backups: back up now', go: '/settings/backups', needs: 'operator' },
  { key: 'jobs', title: 'Jobs', go: '/settings/jobs', needs: 'operator' },
  { key: 'values', title: 'Settings of the server', go: '/settings/values', needs: 'operator' },
];

/** Settings whose name contains the text. */
const settingHits = (text: string, { settings }: Output<'settings_list'>): readonly Found[] =>
  settings
    .filter(({ name }) => name.toLowerCase().includes(text))
    .slice(0, hitsPerMemory)
    .map(({ name, value }) => ({
      key: `setting ${name}`,
      title: `Setting ${name}`,
      detail: value,
      go: `/settings/values?q=${encodeURIComponent(name)}`,
    }));

const ruleHits = ({ items }: Output<'instructions_search'>): readonly Found[] =>
  items.map(({ id, title }) => ({
    key: `rule ${id}`,
    title: title || id,
    memory: 'instructions',
    go: `/instructions/${encodeURIComponent(id)}`,
  }));

const entityHits = ({ entities }: Output<'retrieve_entities'>): readonly Found[] =>
  entities.map(({ entity_id, entity_type, canonical_name }) => ({
    key: `entity ${entity_id}`,
    title: canonical_name || entity_id,
    detail: entity_type,
    memory: 'truth',
    go: `/truth/${encodeURIComponent(entity_id)}`,
  }));

const cellHits = ({ hits }: Output<'scratch_search'>): readonly Found[] =>
  hits.map(({ scratch_id, cell_id, snippet }) => ({
    key: `cell ${scratch_id} ${cell_id}`,
    title: snippet || scratch_id,
    detail: scratch_id,
    memory: 'notebooks',
    go: `/notebooks/${encodeURIComponent(scratch_id)}${cell_id ? `?cell=${encodeURIComponent(cell_id)}` : ''}`,
  }));

const docHits = ({ results }: Output<'search_docs'>): readonly Found[] =>
  results.map(({ id, title, library = shippedLibrary, version, source }) => {
    const { to, search } = toPageLink({ library, version, page: source.path, section: title });
    return {
      key: `doc ${id}`,
      title,
      detail: library,
      memory: 'knowledge',
      go: `${to}?${new URLSearchParams(search).toString()}`,
    };
  });

interface Results {
  readonly found: readonly Found[];
  /** False while the answers to an earlier text are shown. */
  readonly isFresh: boolean;
}

function useFound(typed: string, commands: readonly Found[]): Results {
  const text = typed.trim();
  // The input stays quick while the answers of four memories are drawn.
  const query = useDeferredValue(text);
  const enabled = query.length > 1;
  const options = { enabled, keepsPrevious: true, isLive: false };
  const limit = hitsPerMemory;
  const rules = useTool('instructions_search', { query, limit }, options);
  const entities = useTool('retrieve_entities', { query, limit }, options);
  const cells = useTool('scratch_search', { query, limit }, options);
  const docs = useTool('search_docs', { query, limit, max_tokens: docTokens }, options);
  const isOperator = useCan('operator');
  const settings = useTool('settings_list', {}, { enabled: isOperator && enabled, isLive: false });
  const can = { read: true, write: useCan('write'), admin: useCan('admin'), operator: isOperator };
  const lower = text.toLowerCase();
  const here: readonly Found[] = [
    ...places.map(({ label, to }) => ({ key: to, title: `Go to ${label}`, go: to })),
    ...pages.filter(({ needs = 'read' }) => can[needs]),
    ...commands,
  ].filter((one) => isNamed(one, lower));
  if (text.length <= 1) return { found: here, isFresh: true };
  const isFresh =
    query === text &&
    (settings.data !== undefined || !isOperator) &&
    [rules, entities, cells, docs].every(({ isFetching, isPlaceholderData }) => !isFetching && !isPlaceholderData);
  // Pages first: they are there immediately, and later hits must not move them.
  const found = [
    ...here,
    ...(settings.data ? settingHits(lower, settings.data) : []),
    ...(rules.data ? ruleHits(rules.data) : []),
    ...(entities.data ? entityHits(entities.data) : []),
    ...(cells.data ? cellHits(cells.data) : []),
    ...(docs.data ? docHits(docs.data) : []),
  ];
  return { found, isFresh: isFresh || here.length > 0 };
}

/** When the palette is drawn, before the next key: the dialog itself would focus it a moment later. */
const focusNow = (input: HTMLInputElement | null): void => input?.focus();

interface PaletteProps {
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

/** ⌘K: finds items of all four memories, pages and commands. */
export function CommandPalette({ onClose, onHelp }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { server } = useCaller();
  const commands: readonly Found[] = [
    { key: 'help', title: 'Show all keys of the keyboard', go: onHelp },
    ...themes.map((theme) => ({ key: theme, title: `Colours: ${theme}`, go: () => applyTheme(theme) })),
    ...(server.auth ? [{ key: 'sign-out', title: 'Sign out', go: () => void signOut().catch(sayError) }] : []),
  ];
  const { found, isFresh } = useFound(typed, commands);
  const [isOpening, setOpening] = useState(false);
  const navigate = useNavigate();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = Math.min(at, Math.max(0, found.length - 1));
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function open(item: Found | undefined) {
    if (item === undefined) return;
    onClose();
    if (typeof item.go === 'function') {
      item.go();
      return;
    }
    const url = new URL(item.go, location.origin);
    void navigate({ to: url.pathname, search: Object.fromEntries(url.searchParams) });
  }
  useEffect(() => {
    if (!isOpening || !isFresh) return;
    setOpening(false);
    open(found[active]);
  });
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setAt(Math.min(found.length - 1, Math.max(0, active + by)));
    }
    if (event.key !== 'Enter') return;
    // What is listed may still answer an earlier text.
    if (isFresh) open(found[active]);
    else setOpening(true);
  }
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog palette" aria-label="Search everything">
          <input
            ref={focusNow}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
            aria-label="Search everything"
            placeholder="Search rules, docs, notes, facts and pages"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
              setOpening(false);
            }}
            onKeyDown={onKeyDown}
          />
          <div className="palette-results" role="listbox" id={listId} ref={list} aria-label="Results">
            {found.map((item, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles keys for its options
              <div
                key={item.key}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => open(item)}
              >
                {item.memory && <span className="memory-mark" data-memory={item.memory} />}
                <div className="one-line">
                  {item.title} {item.detail && <span className="soft">{item.detail}</span>}
                </div>
                {item.memory && <span className="soft">{memoryNames[item.memory]}</span>}
              </div>
            ))}
            {found.length === 0 && <p className="soft">Nothing found.</p>}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
