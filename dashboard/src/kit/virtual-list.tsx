import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useShortcuts } from './shortcuts.tsx';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly render: (item: T) => ReactNode;
  readonly onOpen: (item: T) => void;
  /** The item whose detail is shown. */
  readonly selectedKey?: string | undefined;
  readonly name: string;
  readonly rowPx?: number;
  /** Called when the end comes into view, to load the next page. */
  readonly onEnd?: (() => void) | undefined;
}

/** The next page is loaded before its place is reached, so that scrolling does not stop there. */
const aheadCount = 30;

/** A list of any length: only visible rows are in the page. Keys: j and k move, enter opens, end goes to the last row. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, onOpen, selectedKey, name, rowPx = 56, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  /** All pages up to the end are loaded, until the person does something else. */
  const [isGoingToEnd, setGoingToEnd] = useState(false);
  const id = useId();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    getItemKey: (index) => keyOf(items[index]!),
  });
  const at = Math.min(active, Math.max(0, items.length - 1));
  // An item that was opened by its address, or by a page that moves on, is where the keys continue.
  const selectedAt = selectedKey === undefined ? -1 : items.findIndex((item) => keyOf(item) === selectedKey);
  useEffect(() => {
    if (selectedAt < 0) return;
    setActive(selectedAt);
    virtual.scrollToIndex(selectedAt);
  }, [selectedAt, virtual]);

  function move(by: number) {
    const next = Math.min(items.length - 1, Math.max(0, at + by));
    setActive(next);
    virtual.scrollToIndex(next);
  }
  const open = (index: number) => {
    const item = items[index];
    if (item !== undefined) onOpen(item);
  };
  useShortcuts(name, {
    j: { what: 'Next item', run: () => move(1) },
    k: { what: 'Previous item', run: () => move(-1) },
    Enter: { what: 'Open item', run: () => open(at) },
  });

  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -items.length, End: items.length }[
      event.key
    ];
    setGoingToEnd(event.key === 'End');
    if (by === undefined) return;
    event.preventDefault();
    move(by);
  }

  const rows = virtual.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (items.length > 0 && lastShown >= items.length - aheadCount) onEnd?.();
  }, [lastShown, items.length, onEnd]);
  useEffect(() => {
    if (!isGoingToEnd) return;
    setActive(items.length - 1);
    virtual.scrollToIndex(items.length - 1);
    onEnd?.();
  }, [isGoingToEnd, items.length, onEnd, virtual]);

  return (
    <div
      className="list"
      ref={scroller}
      role="listbox"
      aria-label={name}
      tabIndex={0}
      // Rows that are scrolled away are not in the page.
      aria-activedescendant={rows.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
      onKeyDown={onKeyDown}
      onWheel={() => setGoingToEnd(false)}
      onPointerDown={() => setGoingToEnd(false)}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, key, start }) => {
          const item = items[index]!;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys for its options
            <div
              key={key}
              id={`${id}-${index}`}
              data-index={index}
              ref={virtual.measureElement}
              className="list-item"
              role="option"
              tabIndex={-1}
              aria-selected={keyOf(item) === selectedKey}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              data-active={index === at}
              style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start}px)` }}
              onClick={() => {
                setActive(index);
                onOpen(item);
              }}
            >
              {render(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
