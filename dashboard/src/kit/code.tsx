import { lazy, Suspense } from 'react';
import type { DiffProps, EditorProps } from './code-mirror.tsx';
import { Loading } from './feedback.tsx';

const LazyEditor = lazy(async () => ({ default: (await import('./code-mirror.tsx')).Editor }));
const LazyDiff = lazy(async () => ({ default: (await import('./code-mirror.tsx')).Diff }));

/** An editor, or with `isReadOnly` a highlighted text. Loaded when first shown. */
export const CodeEditor = (props: EditorProps) => (
  <Suspense fallback={<Loading what="Loading the editor" />}>
    <LazyEditor {...props} />
  </Suspense>
);

/** Two texts with their differences. */
export const DiffView = (props: DiffProps) => (
  <Suspense fallback={<Loading what="Loading the comparison" />}>
    <LazyDiff {...props} />
  </Suspense>
);
