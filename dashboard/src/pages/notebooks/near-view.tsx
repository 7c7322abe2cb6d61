import { type ReactNode, useEffect, useRef, useState } from 'react';

const marginPx = 800;

/** Shows its children only near the visible part of the page, and keeps their height otherwise. */
export function NearView({
  children,
  heightPx = 80,
}: {
  readonly children: () => ReactNode;
  readonly heightPx?: number;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const height = useRef(heightPx);
  useEffect(() => {
    const element = host.current!;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        if (!entry.isIntersecting) height.current = element.offsetHeight || height.current;
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${marginPx}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={host} style={isNear ? undefined : { minHeight: height.current }}>
      {isNear && children()}
    </div>
  );
}
