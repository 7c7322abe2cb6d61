import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { callTool, type Input, type Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Badge, ErrorNote, Note, type Tone } from '../../kit/feedback.tsx';
import { countPages } from './page-link.tsx';

/** One run, which goes on while the person visits other pages. */
export interface Ingest {
  readonly id: number;
  readonly input: Input<'knowledge_ingest'>;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly answer?: Output<'knowledge_ingest'>;
  readonly error?: unknown;
  readonly controller: AbortController;
}

let ingests: readonly Ingest[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Ingest[]): void {
  ingests = next;
  for (const listener of listeners) listener();
}
const update = (id: number, changes: Partial<Ingest>): void =>
  change(ingests.map((one) => (one.id === id ? { ...one, ...changes } : one)));
const dismiss = (id: number): void => change(ingests.filter((one) => one.id !== id));

export function startIngest(input: Input<'knowledge_ingest'>): void {
  const id = nextId;
  nextId += 1;
  const controller = new AbortController();
  change([...ingests, { id, input, state: 'running', controller }]);
  callTool('knowledge_ingest', input, controller.signal).then(
    (answer) => update(id, { state: 'done', answer }),
    (error: unknown) => update(id, controller.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error }),
  );
}

export const useIngests = (): readonly Ingest[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ingests,
  );

const whatOf = ({ input }: Ingest): string => input.library ?? input.source ?? 'docs';

/** A run without a name of a library fills the one of its source. */
export const isFilledBy = (
  { library, version, source }: { readonly library: string; readonly version: string; readonly source: string },
  { input, state }: Ingest,
): boolean =>
  state === 'running' &&
  (input.library === undefined ? input.source === source : input.library === library) &&
  (input.version === undefined || input.version === version);

/** The store counts pages as they are written, and the page follows its changes. */
function Running({ ingest }: { readonly ingest: Ingest }) {
  const { library } = ingest.input;
  const listed = useTool('knowledge_list', library === undefined ? {} : { library });
  const found = listed.data?.libraries.find((one) => !one.complete && isFilledBy(one, ingest));
  return (
    <Note>
      <strong>Reading {whatOf(ingest)}…</strong>
      <span className="soft" role="status">
        {found === undefined ? 'Looking for pages' : `${countPages(found.pages)} so far`}
      </span>
      <Button onClick={() => ingest.controller.abort()}>Cancel</Button>
    </Note>
  );
}

const maxSkipped = 10;
const tones: Readonly<Record<string, Tone>> = { added: 'ok', changed: 'accent' };

function Done({ answer }: { readonly answer: Output<'knowledge_ingest'> }) {
  const { added, changed, removed, unchanged, skipped, skipped_count } = answer;
  return (
    <>
      <strong>
        {answer.library}@{answer.version} is ready: {countPages(answer.pages)}
      </strong>
      <span className="row wrap">
        {Object.entries({ added, changed, removed, unchanged })
          .filter(([, count]) => count > 0)
          .map(([what, count]) => (
            <Badge key={what} tone={tones[what]}>
              {count.toLocaleString()} {what}
            </Badge>
          ))}
      </span>
      {skipped_count > 0 && (
        <details>
          <summary>{countPages(skipped_count)} skipped</summary>
          <ul>
            {skipped.slice(0, maxSkipped).map(({ path, reason }) => (
              <li key={path}>
                {path}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** All runs of this browser, with their results. */
export function IngestProgress() {
  const all = useIngests();
  const client = useQueryClient();
  const states = all.map(({ id, state }) => `${id}${state}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists follow each change of a run
  useEffect(() => void client.invalidateQueries(), [client, states]);
  return all.map((ingest) => {
    if (ingest.state === 'running') return <Running key={ingest.id} ingest={ingest} />;
    return (
      <Note key={ingest.id} tone={ingest.state === 'done' ? 'ok' : 'attention'}>
        {ingest.answer && <Done answer={ingest.answer} />}
        {ingest.state === 'cancelled' && (
          <strong>Reading {whatOf(ingest)} was cancelled. Pages that were read stay; refresh it to continue.</strong>
        )}
        {ingest.state === 'failed' && <ErrorNote error={ingest.error} />}
        <Button kind="quiet" onClick={() => dismiss(ingest.id)}>
          Dismiss
        </Button>
      </Note>
    );
  });
}
