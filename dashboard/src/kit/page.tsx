import { type ReactNode, useEffect } from 'react';
import { Answer, type Query } from './feedback.tsx';

interface PageProps {
  readonly title: string;
  /** The first line: the answer to the question of this page. */
  readonly answer?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Fourfold`;
  }, [title]);
}

/** A page without a heading of its own. It scrolls by itself, also with the keyboard. */
export const PageBody = ({ children }: { readonly children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll a page without links
  <div className="page" tabIndex={0}>
    <div className="page-inner">{children}</div>
  </div>
);

/** A page, or the detail of a list. */
export function Page({ title, answer, actions, children }: PageProps) {
  useTitle(title);
  return (
    <PageBody>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {answer && <p className="answer">{answer}</p>}
        </div>
        {actions && <div className="row wrap">{actions}</div>}
      </header>
      {children}
    </PageBody>
  );
}

interface PageAnswerProps<T> {
  readonly of: Query<T>;
  /** The heading if there is no answer. */
  readonly title: string;
  readonly what?: string;
  readonly children: (data: T) => ReactNode;
}

/** A page that needs an answer. Until it is there, the page is empty: a heading in its place would flicker. */
export function PageAnswer<T>({ of: query, title, what, children }: PageAnswerProps<T>) {
  if (query.data !== undefined) return children(query.data);
  const waiting = (
    <Answer of={query} {...(what && { what })}>
      {() => null}
    </Answer>
  );
  if (query.error) return <Page title={title}>{waiting}</Page>;
  return (
    <PageBody>
      <h1 className="visually-hidden">Loading</h1>
      {waiting}
    </PageBody>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="section" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {actions && <div className="row push">{actions}</div>}
    </header>
    {children}
  </section>
);
