import { type CSSProperties, type PointerEvent, type ReactNode, useState } from 'react';

interface SplitProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** On a narrow screen only one of both is shown. */
  readonly shows: 'list' | 'detail';
  /** Accessible name of the list. */
  readonly name: string;
}

const storageKey = 'list-width';
const [minPx, maxPx] = [240, 640];
const startPx = (): number => Number(localStorage.getItem(storageKey)) || 360;

/** A list on the left and the detail on the right; the width of the list is remembered. */
export function Split({ list, detail, shows, name }: SplitProps) {
  const [width, setWidth] = useState(startPx);
  function drag(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
    const next = Math.min(maxPx, Math.max(minPx, event.clientX - left));
    setWidth(next);
    localStorage.setItem(storageKey, String(next));
  }
  return (
    <div className="split" data-shows={shows} style={{ '--list-width': `${width}px` } as CSSProperties}>
      <section className="split-list" aria-label={name}>
        {list}
        <div className="split-grip" aria-hidden="true" onPointerDown={drag} onPointerMove={drag} />
      </section>
      <div className="split-detail">{detail}</div>
    </div>
  );
}
