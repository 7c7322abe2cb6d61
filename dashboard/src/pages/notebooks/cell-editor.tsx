import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { ToolError } from '../../api/call.ts';
import { useLiveState } from '../../api/live.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { CodeEditor, DiffView } from '../../kit/code.tsx';
import { Badge, ErrorNote, Note } from '../../kit/feedback.tsx';
import { Choice, TextField } from '../../kit/form.tsx';
import { say } from '../../kit/toast.tsx';
import { type Draft, dropDraft, isChanged, type Language, putDraft } from './drafts.ts';
import { keepInView } from './keep-in-view.ts';
import { saveDraft } from './save-draft.ts';

const languages: readonly Language[] = [
  ...(['md', 'txt', 'json', 'yaml', 'toml', 'py', 'js', 'ts', 'jsx', 'tsx', 'sh', 'html', 'css', 'go', 'rs'] as const),
  ...(['java', 'c', 'h', 'cpp', 'hpp', 'cs', 'rb', 'php', 'yml', 'htm'] as const),
];
const validateAfterMs = 400;
/** Longer texts are validated when they are saved. */
const validatedChars = 500_000;
const shownErrorsCount = 10;

function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}

/** The result of validating the text without storing it. */
function useValidation({ scratchId, text, language, base }: Draft) {
  const content = useLater(text, validateAfterMs);
  const cell = {
    ...{ language, content },
    ...(base?.json_schema !== undefined && { json_schema: base.json_schema as string }),
  };
  const enabled = language !== 'txt' && content.length > 0 && content.length <= validatedChars;
  const answer = useTool('scratch_validate', { scratch_id: scratchId, cell }, { enabled, isLive: false });
  return enabled ? answer.data?.results[0] : undefined;
}

function Validation({ result }: { readonly result: NonNullable<ReturnType<typeof useValidation>> }) {
  if (result.valid === true) return <Badge tone="ok">Valid {result.language}</Badge>;
  if (result.errors.length === 0) return <Badge>Not fully checked</Badge>;
  return (
    <ul className="cell-errors" aria-label="Errors">
      {result.errors.slice(0, shownErrorsCount).map(({ line, column, message }) => (
        <li key={`${line}:${column}:${message}`}>
          {line !== undefined && <strong>Line {line}: </strong>}
          {message}
        </li>
      ))}
    </ul>
  );
}

/** Both versions, if others changed the cell after editing began. */
function Conflict({ draft, onSave }: { readonly draft: Draft; readonly onSave: (draft: Draft) => void }) {
  const { theirs } = draft;
  if (theirs === undefined) return null;
  if (theirs === 'deleted') {
    return (
      <Note tone="attention">
        <strong>Somebody deleted this cell while you were editing it.</strong>
        <Button onClick={() => onSave({ ...draft, theirs: undefined, base: undefined })}>
          Add my text as a new cell
        </Button>
      </Note>
    );
  }
  return (
    <Note tone="attention">
      <strong>Somebody changed this cell while you were editing it.</strong>
      <span>Removed lines are theirs, added lines are yours. The version that you replace stays in the history.</span>
      <div className="fill">
        <DiffView
          before={theirs.content ?? ''}
          after={draft.text}
          language={draft.language}
          label="Their version and yours"
        />
      </div>
      <div className="row wrap">
        <Button kind="primary" onClick={() => onSave({ ...draft, base: theirs, theirs: undefined })}>
          Replace theirs with mine
        </Button>
        <Button
          onClick={() => {
            dropDraft(draft);
            say('Your text was discarded.', () => putDraft({ ...draft, base: theirs, theirs: undefined }));
          }}
        >
          Keep theirs
        </Button>
      </div>
    </Note>
  );
}

const isSaveKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === 'Enter' && (ctrlKey || metaKey);
const focusFrames = 120;

/** The editor is loaded when first shown, so it gets the focus when it is there. */
function useEditorFocus() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    let left = focusFrames;
    let release: (() => void) | undefined;
    const seek = () => {
      const content = host.current?.querySelector<HTMLElement>('.cell-input .cm-content');
      left -= 1;
      if (content) {
        content.focus();
        // With the buttons below it.
        if (host.current) release = keepInView(host.current);
      } else if (left > 0) frame = requestAnimationFrame(seek);
    };
    seek();
    return () => {
      cancelAnimationFrame(frame);
      release?.();
    };
  }, []);
  return host;
}

const isAway = (error: unknown): boolean => error instanceof ToolError && error.status === 0;

/** Unlike reading, saving is not tried again by itself. */
const SaveError = ({ error }: { readonly error: unknown }) =>
  isAway(error) ? (
    <Note tone="danger">
      <strong>Not saved: the server does not answer.</strong>
      <span>Your text is kept here. Save it again when the server is back.</span>
    </Note>
  ) : (
    <ErrorNote error={error} />
  );

/** Edits a cell in its place. */
export function CellEditor({ draft }: { readonly draft: Draft }) {
  const client = useQueryClient();
  const host = useEditorFocus();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const live = useLiveState();
  useEffect(() => {
    if (live === 'live') setError((before: unknown) => (isAway(before) ? undefined : before));
  }, [live]);
  const result = useValidation(draft);
  const problems = useMemo(
    () => (result?.errors ?? []).map(({ line = 1, column, message }) => ({ line, column, message })),
    [result],
  );

  async function save(given: Draft) {
    setBusy(true);
    setError(undefined);
    try {
      const outcome = await saveDraft(given);
      if (outcome === 'saved') {
        dropDraft(draft);
        say(draft.base === undefined ? 'The cell was added.' : 'The cell was saved.');
      } else putDraft({ ...draft, theirs: outcome.theirs });
      await client.invalidateQueries();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  function cancel() {
    dropDraft(draft);
    if (isChanged(draft)) say('Your changes were discarded.', () => putDraft(draft));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    void save(draft);
  }

  const number = draft.base === undefined ? 'the new cell' : `cell ${draft.base.index + 1}`;
  return (
    <div className="stack" ref={host} onKeyDownCapture={onKeyDown}>
      <Conflict draft={draft} onSave={(next) => void save(next)} />
      <div className="cell-input">
        <CodeEditor
          text={draft.text}
          label={`Text of ${number}`}
          language={draft.language}
          problems={problems}
          onChange={(text) => putDraft({ ...draft, text })}
        />
      </div>
      <div aria-live="polite">{result && <Validation result={result} />}</div>
      {error !== undefined && <SaveError error={error} />}
      <div className="row wrap">
        <Choice
          label="Language"
          value={draft.language}
          onChange={(language) => putDraft({ ...draft, language: language as Language })}
          choices={languages.map((language) => ({ value: language, label: language }))}
        />
        <TextField
          label="Tags"
          placeholder="draft, review"
          value={draft.tags}
          onChange={(event) => putDraft({ ...draft, tags: event.target.value })}
        />
        <span className="row push">
          <Button onClick={cancel}>Cancel</Button>
          <Button kind="primary" disabled={isBusy} onClick={() => void save(draft)} shortcut="Ctrl ↵">
            Save
          </Button>
        </span>
      </div>
    </div>
  );
}
