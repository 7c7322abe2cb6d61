import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Badge } from '../../kit/feedback.tsx';
import { Go } from '../../kit/go.tsx';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { hasOwnPage, isSignIn, labelOf, nounOf, placeOf, verbOf } from '../audit/describe-change.ts';
import type { Overview } from './home.tsx';

type Change = NonNullable<Overview['changes']>[number];

type Part = Change['parts'][number];

type CallLine = NonNullable<Overview['calls']>[number];

function Item({ topic, item }: { readonly topic: string; readonly item: Part['items'][number] }) {
  const place = placeOf(topic, item.id);
  const label = labelOf(topic, item);
  return place === undefined ? <span>{label}</span> : <Go to={place}>{label}</Go>;
}

/** Items with a page of their own are named; of the others only the number says something. */
function PartText({ tool, part: { topic, what, count, items } }: { readonly tool: string; readonly part: Part }) {
  const shown = hasOwnPage(topic) ? items : [];
  return (
    <>
      {verbOf({ tool, what })} {(count > 1 || shown.length === 0) && `${count} `}
      {nounOf(topic, count)}
      {shown.map((item, i) => (
        <span key={item.id}>
          {i > 0 ? ', ' : ' '}
          <bdi>
            <Item topic={topic} item={item} />
          </bdi>
        </span>
      ))}
      {shown.length > 1 && count > shown.length && ` and ${count - shown.length} more`}
    </>
  );
}

/** The keys that it makes and uses say nothing more. */
function SignIns({ parts }: Pick<Change, 'parts'>) {
  const count = parts.find(({ what }) => what === 'create')?.count ?? 1;
  return count === 1 ? 'signed in' : `signed in ${count} times`;
}

const Line = ({ change: { seq, at, actorName, actor, memory, parts, tool } }: { readonly change: Change }) => (
  <li>
    <span className="memory-mark" data-memory={memory} />
    <div>
      <strong title={actor}>{actorName}</strong>{' '}
      {isSignIn(tool) ? (
        <SignIns parts={parts} />
      ) : (
        parts.map((part, i) => (
          <span key={`${part.topic} ${part.what}`}>
            {i > 0 && '; '}
            <PartText tool={tool} part={part} />
          </span>
        ))
      )}
    </div>
    <span className="soft">
      <Go className="quiet" to={`/audit?seq=${seq}`} title={`By ${tool}; shows what changed`}>
        <Time at={at} />
      </Go>
    </span>
  </li>
);

/** The rest is in the trail. */
const shownCount = 6;

export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const [isWhole, setWhole] = useState(false);
  const rest = changes.length - shownCount;
  return (
    <Section title="What changed" actions={<Go to="/audit">Whole trail</Go>}>
      <ul className="feed" aria-live="off">
        {(isWhole ? changes : changes.slice(0, shownCount)).map((change) => (
          <Line key={change.seq} change={change} />
        ))}
      </ul>
      {!isWhole && rest > 0 && (
        <div>
          <Button onClick={() => setWhole(true)}>Show {rest} more</Button>
        </div>
      )}
    </Section>
  );
}

/** What agents asked, with and without a change. */
export const Calls = ({ calls }: { readonly calls: readonly CallLine[] }) => (
  <Section title="Last calls of agents">
    <ul className="feed" aria-live="off">
      {calls.map(({ at, actor, actorName, tool, memory, ok, count }) => (
        <li key={`${at} ${actor} ${tool}`}>
          <span className="memory-mark" data-memory={memory} />
          <div>
            <strong title={actor}>
              <bdi>{actorName}</bdi>
            </strong>{' '}
            called <code>{tool}</code>
            {count > 1 && ` ${count} times`} {!ok && <Badge tone="danger">failed</Badge>}
          </div>
          <span className="soft">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  </Section>
);
