import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
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
  const bar = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the bar scrolls to the chosen tab
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown?.id]);
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
      <div ref={bar} className="tabs" role="tablist" aria-label={name} onKeyDown={onKeyDown}>
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
