import { Go } from '../../kit/go.tsx';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import type { Overview } from './home.tsx';

const placeOf = (id: string): string => `/instructions/${encodeURIComponent(id)}`;

/** Rules that agents get, and approved ones that none ever got. */
export function ServedRules({ rules }: { readonly rules: NonNullable<Overview['rules']> }) {
  const { most, never, neverCount, titles } = rules;
  if (most.length + never.length === 0) return null;
  return (
    <Section title="Rules that agents get">
      <div className="columns">
        <div>
          <h3>Served most</h3>
          {most.length === 0 && <p className="soft">None yet.</p>}
          <ul className="feed">
            {most.map(({ id, count, lastServedAt }) => (
              <li key={id}>
                <div>
                  <Go to={placeOf(id)}>
                    <bdi>{titles[id] ?? id}</bdi>
                  </Go>
                </div>
                <span className="soft">
                  {count} × · <Time at={lastServedAt} />
                </span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>Never served</h3>
          {never.length === 0 && <p className="soft">Every approved rule was served.</p>}
          <ul className="feed">
            {never.map((id) => (
              <li key={id}>
                <div>
                  <Go to={placeOf(id)}>
                    <bdi>{titles[id] ?? id}</bdi>
                  </Go>
                </div>
              </li>
            ))}
          </ul>
          {neverCount > never.length && <p className="soft">and {neverCount - never.length} more</p>}
        </div>
      </div>
    </Section>
  );
}
