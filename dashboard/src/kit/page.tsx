import { type ReactNode, useEffect } from 'react';

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

/** A page, or the detail of a list: it scrolls by itself. */
export function Page({ title, answer, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="page">
      <div className="page-inner">
        <header className="page-head">
          <div>
            <h1>{title}</h1>
            {answer && <p className="answer">{answer}</p>}
          </div>
          {actions && <div className="row wrap">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
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
