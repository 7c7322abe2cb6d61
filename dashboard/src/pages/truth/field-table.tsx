import { Fragment, useRef } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Answer, Badge } from '../../kit/feedback.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { useShortcuts } from '../../kit/shortcuts.tsx';
import { Time } from '../../kit/time.tsx';
import { nameOfSource, Since, Source, toLabel, Value } from './value.tsx';

type Field = Output<'get_entity_overview'>['fields'][number];

const historyCount = 50;
/** The panel shows more of a long value. */
const tableChars = 300;

/** What each source stated about a field, newest first. */
export function History({ entityId, field }: { readonly entityId: string; readonly field: string }) {
  const history = useTool('get_field_history', { entity_id: entityId, field, limit: historyCount });
  return (
    <Answer of={history}>
      {({ history: statements, total }) => (
        <ul className="truth-history" aria-label={`History of ${toLabel(field)}`}>
          {statements.map((one) => (
            <li key={one.observation_id}>
              <strong>{one.ended ? 'ended' : <Value value={one.value} chars={tableChars} />}</strong>
              <span>
                from <Since at={one.effective_at} />
                {one.effective_until !== undefined && (
                  <>
                    {' until '}
                    <Since at={one.effective_until} />
                  </>
                )}
              </span>
              <span className="soft">
                <Source of={one} />, recorded <Time at={one.created_at} />
              </span>
              {one.wins && <Badge tone="ok">counts now</Badge>}
              {one.retracted_at !== undefined && (
                <span>
                  <Badge tone="attention">retracted</Badge>{' '}
                  <span className="soft">
                    <Time at={one.retracted_at} />
                  </span>
                </span>
              )}
              {one.raw && <Badge>not of the field’s type</Badge>}
              {one.reason !== undefined && <bdi className="soft">Reason: {one.reason}</bdi>}
              {one.quote !== undefined && <bdi className="soft">“{one.quote}”</bdi>}
            </li>
          ))}
          {total > statements.length && <li className="soft">and {total - statements.length} earlier statements</li>}
        </ul>
      )}
    </Answer>
  );
}

interface FieldTableProps {
  readonly entityId: string;
  readonly fields: readonly Field[];
  readonly onCorrect: ((field: string) => void) | undefined;
}

/** Field, value, since, source. A value opens the panel "How do we know?", as does the key `s`. */
export function FieldTable({ entityId, fields, onCorrect }: FieldTableProps) {
  const [{ field: shown, history: expanded }, setSearch] = useSearchState();
  const body = useRef<HTMLTableSectionElement>(null);
  /** The row with the focus, or the first one. */
  const focused = (): string | undefined =>
    document.activeElement instanceof HTMLElement && body.current?.contains(document.activeElement)
      ? document.activeElement.closest<HTMLElement>('[data-field]')?.dataset['field']
      : (shown ?? fields[0]?.field);
  useShortcuts('Fields', {
    s: { what: 'How do we know this value?', run: () => setSearch({ field: focused() }) },
    h: { what: 'Show the history of the field', run: () => setSearch({ history: focused() }) },
    ...(onCorrect && {
      e: {
        what: 'Correct the field',
        run: () => {
          const field = focused();
          if (field !== undefined) onCorrect(field);
        },
      },
    }),
  });
  return (
    <table className="truth-fields">
      <thead>
        <tr>
          <th>Field</th>
          <th>Value</th>
          <th>Since</th>
          <th>Source</th>
          <th>
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {fields.map((one) => (
          <Fragment key={one.field}>
            <tr data-field={one.field} data-shown={one.field === shown}>
              <td>{toLabel(one.field)}</td>
              <td>
                <button
                  type="button"
                  className="value-button sourced"
                  title={`How do we know? From ${nameOfSource(one)}, since ${one.effective_at}`}
                  onClick={() => setSearch({ field: one.field })}
                >
                  <Value value={one.value} chars={tableChars} />
                </button>
              </td>
              <td className="truth-since">
                <Since at={one.effective_at} />
              </td>
              <td className="soft">
                <Source of={one} />
              </td>
              <td className="truth-actions">
                <Button
                  kind="quiet"
                  aria-expanded={expanded === one.field}
                  aria-label={`History of ${toLabel(one.field)}`}
                  onClick={() => setSearch({ history: expanded === one.field ? undefined : one.field })}
                >
                  History
                </Button>
                {onCorrect && (
                  <Button
                    kind="quiet"
                    aria-label={`Correct ${toLabel(one.field)}`}
                    onClick={() => onCorrect(one.field)}
                  >
                    Correct
                  </Button>
                )}
              </td>
            </tr>
            {expanded === one.field && (
              <tr data-field={one.field}>
                <td colSpan={5}>
                  <History entityId={entityId} field={one.field} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
