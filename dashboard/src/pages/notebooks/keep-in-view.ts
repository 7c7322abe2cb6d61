/**
 * Scrolls to a part of a pad, and again while the cells around it get their real heights, until the person scrolls or
 * types. Returns a function that ends it.
 */
export function keepInView(element: Element): () => void {
  const scroll = () => element.scrollIntoView({ block: 'nearest' });
  const observer = new ResizeObserver(scroll);
  observer.observe(element.closest('.cells') ?? element);
  const end = () => observer.disconnect();
  const stops = new AbortController();
  for (const kind of ['wheel', 'pointerdown', 'keydown', 'touchmove'])
    window.addEventListener(kind, end, { signal: stops.signal, capture: true });
  scroll();
  return () => {
    end();
    stops.abort();
  };
}
