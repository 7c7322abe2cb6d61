import { type ReactNode, useEffect, useState } from 'react';
import { ToolError } from '../api/call.ts';
import { Button } from './button.tsx';

export type Tone = 'ok' | 'attention' | 'danger' | 'accent';

export const Badge = ({ tone, children }: { readonly tone?: Tone | undefined; readonly children: ReactNode }) => (
  <span className="badge" data-tone={tone}>
    {children}
  </span>
);

export const Note = ({ tone, children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <div className="note" data-tone={tone}>
    {children}
  </div>
);

interface ErrorNoteProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What happened, the fix, and a way to try again. */
export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  const fix = error instanceof ToolError ? error.fix : undefined;
  return (
    <div className="note" data-tone="danger" role="alert">
      <strong>{error instanceof Error ? error.message : String(error)}</strong>
      {fix && <span>{fix}</span>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** A command or call that fills this place. */
  readonly example?: string;
}

export const Empty = ({ title, children, example }: EmptyProps) => (
  <div className="empty">
    <strong>{title}</strong>
    {children}
    {example && <pre className="code">{example}</pre>}
  </div>
);

const patienceMs = 200;

/** Nothing for the first 200 ms: most answers are there by then. */
export function Loading({ what = 'Loading' }: { readonly what?: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <p className="soft" role="status">
      {what}…
    </p>
  ) : null;
}

export interface Query<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

interface AnswerProps<T> {
  readonly of: Query<T>;
  readonly children: (data: T) => ReactNode;
  readonly what?: string;
}

/** The answer of a query, or its loading or error state. An old answer stays visible while a refresh fails. */
export function Answer<T>({ of: query, children, what }: AnswerProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading {...(what && { what })} />;
}
