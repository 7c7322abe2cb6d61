import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { python } from '@codemirror/lang-python';
import { HighlightStyle, type LanguageSupport, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter, highlightCode, tags } from '@lezer/highlight';
import { type ReactNode, useEffect, useRef } from 'react';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--instructions)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--notebooks)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--truth)' },
  { tag: [tags.comment, tags.meta], color: 'var(--soft)' },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: 'var(--knowledge)' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
]);

const theme = EditorView.theme({
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--soft)', border: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--selected) !important' },
  '.cm-changedLine': { background: 'color-mix(in oklch, var(--ok) 12%, transparent) !important' },
  '.cm-deletedChunk': { background: 'color-mix(in oklch, var(--danger) 12%, transparent) !important' },
  '.cm-changedText': { background: 'color-mix(in oklch, var(--ok) 28%, transparent) !important' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in oklch, var(--danger) 28%, transparent) !important' },
});

const languages: Readonly<Record<string, () => LanguageSupport>> = {
  md: markdown,
  markdown,
  json,
  js: javascript,
  javascript,
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  typescript: () => javascript({ typescript: true }),
  tsx: () => javascript({ jsx: true, typescript: true }),
  py: python,
  python,
};

/** The browser keeps the style of replaced text with an inline style, which the content policy forbids. */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state, composing } = view;
    if (event.inputType !== 'insertText' || event.data === null || composing || state.selection.main.empty)
      return false;
    event.preventDefault();
    view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

/** Ctrl or ⌘ with enter saves the form; without this it would also insert a line. */
const keys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

const common = (language: string | undefined, label: string): Extension => [
  EditorView.cspNonce.of(nonce),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label }),
  syntaxHighlighting(colours),
  theme,
  languages[language ?? '']?.() ?? [],
];

/** A problem of the text, at a place that counts from one. */
export interface Problem {
  readonly line: number;
  readonly column?: number | undefined;
  readonly message: string;
  readonly severity?: 'error' | 'warning';
}

function toDiagnostic({ doc }: EditorState, { line, column = 1, message, severity = 'error' }: Problem): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return { from: Math.min(from + column - 1, to), to, severity, message };
}

export interface EditorProps {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  readonly language?: string | undefined;
  readonly isReadOnly?: boolean;
  /** Begins with the focus: the person asked for it. */
  readonly hasFocus?: boolean;
  readonly onChange?: (text: string) => void;
  readonly problems?: readonly Problem[];
}

export function Editor({
  text,
  label,
  language,
  isReadOnly = false,
  hasFocus = false,
  onChange,
  problems = [],
}: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next effect follows the text
  useEffect(() => {
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          common(language, label),
          isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [history(), replaceSelected],
          keymap.of([...keys, ...historyKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => docChanged && latest.current?.(state.doc.toString())),
        ],
      }),
    });
    view.current = made;
    if (hasFocus) made.focus();
    return () => made.destroy();
  }, [language, label, isReadOnly]);
  useEffect(() => {
    const made = view.current;
    if (made === undefined || made.state.doc.toString() === text) return;
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const made = view.current;
    made?.dispatch(
      setDiagnostics(
        made.state,
        problems.map((problem) => toDiagnostic(made.state, problem)),
      ),
    );
  }, [problems]);
  return <div ref={host} />;
}

export interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  readonly language?: string | undefined;
}

/**
 * One column, so that it fits a narrow screen: removed lines above the added ones. Without colours for the syntax, which
 * are hard to read on the backgrounds of changes.
 */
export function Diff({ before, after, label }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          common(undefined, label),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            highlightChanges: true,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
        ],
      }),
    });
    return () => made.destroy();
  }, [before, after, label]);
  return <div ref={host} />;
}

/** Code in a text, without an editor. Unknown languages stay plain. */
export function Highlighted({ text, language }: { readonly text: string; readonly language: string }) {
  const parser = languages[language]?.().language.parser;
  if (parser === undefined) return <code>{text}</code>;
  const parts: ReactNode[] = [];
  highlightCode(
    text,
    parser.parse(text),
    classHighlighter,
    (part, classes) =>
      parts.push(
        classes ? (
          <span key={parts.length} className={classes}>
            {part}
          </span>
        ) : (
          part
        ),
      ),
    () => parts.push('\n'),
  );
  return <code>{parts}</code>;
}
