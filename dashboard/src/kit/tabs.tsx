import type { KeyboardEvent, ReactNode } from 'react';
import { useSearchState } from './search-state.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly content: () => ReactNode;
}

/** Tabs whose choice is part of the address (`?tab=history`). */
export function Tabs({ tabs, name }: { readonly tabs: readonly Tab[]; readonly name: string }) {
  const [{ tab }, setSearch] = useSearchState();
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0];
  const select = (id: string) => setSearch({ tab: id === tabs[0]?.id ? undefined : id });
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || shown === undefined) return;
    const next = tabs[(tabs.indexOf(shown) + by + tabs.length) % tabs.length]!;
    select(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={name} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            data-tab={id}
            aria-selected={id === shown?.id}
            aria-controls="tab-panel"
            tabIndex={id === shown?.id ? 0 : -1}
            onClick={() => select(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${shown?.id}`} className="stack">
        {shown?.content()}
      </div>
    </>
  );
}
