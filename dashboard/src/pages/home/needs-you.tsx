import { useCan } from '../../api/caller.tsx';
import { Go } from '../../kit/go.tsx';
import { useLinkKeys } from '../../kit/link-keys.ts';
import { Section } from '../../kit/page.tsx';
import type { Overview } from './home.tsx';

type Kind = Overview['clear'][number];

/** Where a person deals with it. */
const placesOf: Readonly<Record<Kind, { readonly to: string; readonly isForOperator?: true; readonly clear: string }>> =
  {
    store: { to: '/settings/jobs', isForOperator: true, clear: 'store' },
    damage: { to: '/settings/jobs', isForOperator: true, clear: 'content hashes' },
    jobs: { to: '/settings/jobs', isForOperator: true, clear: 'jobs' },
    embedding: { to: '/settings/jobs', isForOperator: true, clear: 'semantic index' },
    files: { to: '/instructions/-/checks', clear: 'rule files' },
    proposals: { to: '/instructions/-/proposals', clear: 'proposals' },
    reviews: { to: '/instructions?overdue=1', clear: 'reviews' },
    gates: { to: '/instructions/-/checks', clear: 'gates' },
    contradictions: { to: '/truth/contradictions', clear: 'contradictions' },
    duplicates: { to: '/truth/duplicates', clear: 'duplicates' },
    connectors: { to: '/settings/connectors', clear: 'connectors' },
  };

const severityWords = { problem: 'Problem', decision: 'Decision', progress: 'In progress' } as const;

export function NeedsYou({ overview: { attention, clear } }: { readonly overview: Overview }) {
  const isOperator = useCan('operator');
  const canAct = useCan('write');
  useLinkKeys('Needs you');
  return (
    <Section title={canAct ? 'Needs you' : 'Waits for a decision'}>
      {attention.length > 0 && (
        <ul className="needs" data-links="a">
          {attention.map(({ kind, memory, severity, text }) => {
            const { to, isForOperator } = placesOf[kind];
            const isLink = isForOperator === undefined || isOperator;
            return (
              <li key={kind} data-severity={severity}>
                <span className="memory-mark" data-memory={memory} />
                <div>{isLink ? <Go to={to}>{text}</Go> : text}</div>
                <span className="severity">{severityWords[severity]}</span>
              </li>
            );
          })}
        </ul>
      )}
      {clear.length > 0 && (
        <p className="soft">Checked, nothing to do: {clear.map((kind) => placesOf[kind].clear).join(', ')}.</p>
      )}
    </Section>
  );
}
