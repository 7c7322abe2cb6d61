import type { ReactNode } from 'react';
import { Go } from '../../kit/go.tsx';
import { SectionFrame } from '../../kit/section-nav.tsx';
import './recall.css';

/** In the order in which an answer has them. */
export const memories = ['instructions', 'truth', 'notebooks', 'knowledge'] as const;
export type Memory = (typeof memories)[number];

export const labelOf: Readonly<Record<Memory, string>> = {
  instructions: 'Rules',
  truth: 'Facts',
  notebooks: 'Notes',
  knowledge: 'Docs',
};

export const partOf = { instructions: 'rules', truth: 'facts', notebooks: 'notes', knowledge: 'docs' } as const;

/** `handbook@2026.1/returns.md#parts`; the docs that come with the program have only a version: `v5/databases#knex`. */
const sectionId = /^(?:(.+?)@([^/@]+)|([^/@]+))\/([^#]+)(?:#(.*))?$/s;

function addressOfSection(id: string): string {
  const [, library = 'feathers', version, shipped = '', page = '', section] = sectionId.exec(id) ?? [];
  const search = { version: version ?? shipped, page, ...(section !== undefined && { section }) };
  return `/knowledge/${encodeURIComponent(library)}?${new URLSearchParams(search).toString()}`;
}

/** Where the dashboard shows an item. */
function addressOf(memory: Memory, id: string): string {
  if (memory === 'instructions') return `/instructions/${encodeURIComponent(id)}`;
  if (memory === 'truth') return `/truth/${encodeURIComponent(id)}`;
  if (memory === 'knowledge') return addressOfSection(id);
  const [scratchId = '', cellId] = id.split('/', 2);
  const cell = cellId === undefined ? '' : `?cell=${encodeURIComponent(cellId)}`;
  return `/notebooks/${encodeURIComponent(scratchId)}${cell}`;
}

interface ItemLinkProps {
  readonly memory: Memory;
  readonly id: string;
  readonly children?: ReactNode;
}

export const ItemLink = ({ memory, id, children }: ItemLinkProps) => (
  <Go to={addressOf(memory, id)}>{children ?? id}</Go>
);

export const MemoryMark = ({ memory }: { readonly memory: Memory }) => (
  <span className="memory-mark" data-memory={memory} title={labelOf[memory]} aria-hidden="true" />
);

export const tokensIn = (
  items: readonly { readonly memory: Memory; readonly tokens: number }[],
  memory: Memory,
): number => items.filter((item) => item.memory === memory).reduce((sum, { tokens }) => sum + tokens, 0);

interface BudgetBarProps {
  readonly budget: number;
  readonly tokens: number;
  readonly parts: readonly { readonly memory: Memory; readonly tokens: number; readonly leftOut: number }[];
}

const percent = (part: number, whole: number): string => `${Math.min(100, (100 * part) / Math.max(1, whole))}%`;

const otherTokens = (tokens: number, parts: BudgetBarProps['parts']): number =>
  Math.max(0, tokens - parts.reduce((sum, part) => sum + part.tokens, 0));

/** How the budget was used: one segment for each memory, with the same as text. */
export const BudgetBar = ({ budget, tokens, parts }: BudgetBarProps) => (
  <figure className="stack" aria-label="Use of the budget">
    <div className="budget" aria-hidden="true">
      {parts
        .filter((part) => part.tokens > 0)
        .map((part) => (
          <i key={part.memory} data-memory={part.memory} style={{ width: percent(part.tokens, budget) }} />
        ))}
      <i style={{ width: percent(otherTokens(tokens, parts), budget) }} />
    </div>
    <ul className="budget-key">
      {parts.map((part) => (
        <li key={part.memory}>
          <i data-memory={part.memory} aria-hidden="true" />
          <span>
            {labelOf[part.memory]} {part.tokens}
            {part.leftOut > 0 && <span className="soft"> ({part.leftOut} left out)</span>}
          </span>
        </li>
      ))}
      <li>
        <i aria-hidden="true" />
        <span>Names and structure {otherTokens(tokens, parts)}</span>
      </li>
      <li className="soft">
        {tokens} of {budget} tokens
      </li>
    </ul>
  </figure>
);

/** The pages of this section. */
export const RecallFrame = ({ children }: { readonly children: ReactNode }) => (
  <SectionFrame
    name="Recall"
    places={[
      { to: '/recall', label: 'Try a task' },
      { to: '/recall/receipts', label: 'Receipts' },
    ]}
  >
    {children}
  </SectionFrame>
);
