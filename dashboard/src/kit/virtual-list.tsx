import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useShortcuts } from './shortcuts.tsx';

interface VirtualListProps<T> {
  /** A list whose length is known before its items are loaded has holes. */
  readonly items: readonly (T | undefined)[];
  readonly keyOf: (item: T) => string;
  readonly render: (item: T) => ReactNode;
  readonly onOpen: (item: T) => void;
  /** The item whose detail is shown. */
  readonly selectedKey?: string | undefined;
  readonly name: string;
  readonly rowPx?: number;
  /** What is listed: when it changes, the list begins at its top. */
  readonly listKey?: string;
  /** Called when the end comes into view, to load the next page. */
  readonly onEnd?: (() => void) | undefined;
  /** Called with the first and last row in view, to load what is missing there. */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
}

/** The next page is loaded before its place is reached, so that scrolling does not stop there. */
const aheadCount = 30;

interface RowContentProps<T> {
  readonly item: T;
  readonly render: (item: T) => ReactNode;
}

/** While the list scrolls, only the rows that come into view are rendered. */
const RowContent = memo(<T,>({ item, render }: RowContentProps<T>) => render(item)) as <T>(
  props: RowContentProps<T>,
) => ReactNode;

/** A list of any length: only visible rows are in the page. Keys: j and k move, enter opens, end goes to the last row. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, render, onOpen, selectedKey, name, rowPx = 56, listKey, onEnd, onRange } = props;
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
  });
  const at = Math.min(active, Math.max(0, items.length - 1));
  // An item that was opened by its address, or by a page that moves on, is where the keys continue.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of an item does not change
  const selectedAt = useMemo(() => {
    if (selectedKey === undefined) return -1;
    return items.findIndex((item) => item !== undefined && keyOf(item) === selectedKey);
  }, [items, selectedKey]);
  useEffect(() => {
    if (selectedAt < 0) return;
    setActive(selectedAt);
    virtual.scrollToIndex(selectedAt);
  }, [selectedAt, virtual]);

  const shownKey = useRef(listKey);
  useEffect(() => {
    if (shownKey.current === listKey) return;
    shownKey.current = listKey;
    setActive(0);
    virtual.scrollToOffset(0);
  }, [listKey, virtual]);

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
  const firstShown = rows[0]?.index ?? 0;
  const lastShown = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (items.length > 0 && lastShown >= items.length - aheadCount) onEnd?.();
  }, [lastShown, items.length, onEnd]);
  useEffect(() => {
    if (lastShown >= 0) onRange?.(firstShown, lastShown);
  }, [firstShown, lastShown, onRange]);
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
        {rows.map(({ index, start }) => {
          const item = items[index];
          const key = item === undefined ? undefined : keyOf(item);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys for its options
            <div
              key={key ?? index}
              id={`${id}-${index}`}
              data-index={index}
              ref={virtual.measureElement}
              className="list-item"
              role="option"
              tabIndex={-1}
              aria-selected={key !== undefined && key === selectedKey}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              data-active={index === at}
              style={{
                position: 'absolute',
                top: 0,
                left: 0,
                right: 0,
                transform: `translateY(${start}px)`,
                ...(item === undefined && { height: rowPx }),
              }}
              onClick={() => {
                setActive(index);
                open(index);
              }}
            >
              {item === undefined ? (
                <span className="soft">{(index + 1).toLocaleString()}</span>
              ) : (
                <RowContent item={item} render={render} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
