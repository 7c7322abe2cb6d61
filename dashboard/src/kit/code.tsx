import { lazy, Suspense } from 'react';
import type { DiffProps, EditorProps } from './code-mirror.tsx';
import { Loading } from './feedback.tsx';

const LazyEditor = lazy(async () => ({ default: (await import('./code-mirror.tsx')).Editor }));
const LazyHighlighted = lazy(async () => ({ default: (await import('./code-mirror.tsx')).Highlighted }));
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

/** Plain until the colours are loaded. */
export const HighlightedCode = (props: { readonly text: string; readonly language: string }) => (
  <Suspense fallback={<code>{props.text}</code>}>
    <LazyHighlighted {...props} />
  </Suspense>
);
