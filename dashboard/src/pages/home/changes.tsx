import { Go } from '../../kit/go.tsx';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { hasOwnPage, labelOf, nounOf, placeOf, verbOf } from '../audit/describe-change.ts';
import type { Overview } from './home.tsx';

type Change = NonNullable<Overview['changes']>[number];

type Part = Change['parts'][number];

function Item({ topic, item }: { readonly topic: string; readonly item: Part['items'][number] }) {
  const place = placeOf(topic, item.id);
  const label = labelOf(topic, item);
  return place === undefined ? <span>{label}</span> : <Go to={place}>{label}</Go>;
}

/** Items with a page of their own are named; of the others only the number says something. */
function PartText({ part: { topic, what, count, items } }: { readonly part: Part }) {
  const shown = hasOwnPage(topic) ? items : [];
  return (
    <>
      {verbOf(what)} {(count > 1 || shown.length === 0) && `${count} `}
      {nounOf(topic, count)}
      {shown.map((item, i) => (
        <span key={item.id}>
          {i > 0 ? ', ' : ' '}
          <Item topic={topic} item={item} />
        </span>
      ))}
      {shown.length > 1 && count > shown.length && ` and ${count - shown.length} more`}
    </>
  );
}

const Line = ({ change: { seq, at, actorName, actor, memory, parts, tool } }: { readonly change: Change }) => (
  <li>
    <span className="memory-mark" data-memory={memory} />
    <div>
      <strong title={actor}>{actorName}</strong>{' '}
      {parts.map((part, i) => (
        <span key={`${part.topic} ${part.what}`}>
          {i > 0 && '; '}
          <PartText part={part} />
        </span>
      ))}
    </div>
    <span className="soft">
      <Go to={`/audit?seq=${seq}`} title={`By ${tool}; shows what changed`}>
        <Time at={at} />
      </Go>
    </span>
  </li>
);

export const Changes = ({ changes }: { readonly changes: readonly Change[] }) => (
  <Section title="What changed" actions={<Go to="/audit">Whole trail</Go>}>
    <ul className="feed" aria-live="off">
      {changes.map((change) => (
        <Line key={change.seq} change={change} />
      ))}
    </ul>
  </Section>
);
