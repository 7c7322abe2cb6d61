import type { ReactNode } from 'react';

/** A table that may be wider than the screen. It scrolls by itself, also with the keyboard. */
export const TableScroll = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll the table
  <section className="table-scroll" tabIndex={0} aria-label={name}>
    {children}
  </section>
);
