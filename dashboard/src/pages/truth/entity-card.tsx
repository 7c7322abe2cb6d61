import { Link } from '@tanstack/react-router';
import { useTool } from '../../api/use-tool.ts';
import { Answer } from '../../kit/feedback.tsx';
import { displayName, plural, toLabel, Value } from './value.tsx';

/** The values of an entity in a few lines, for a comparison. */
export function EntityCard({ entityId }: { readonly entityId: string }) {
  const overview = useTool('get_entity_overview', { entity_id: entityId });
  return (
    <Answer of={overview}>
      {(data) => (
        <>
          <h2>
            <Link to={`/truth/${data.entity_id}` as never}>
              <bdi>{displayName(data.canonical_name, data.fields)}</bdi>
            </Link>
          </h2>
          <p className="soft">
            {toLabel(data.entity_type)} · {plural(data.observation_count, 'statement')}
          </p>
          <dl className="facts">
            {data.fields.map(({ field, value }) => (
              <div key={field} style={{ display: 'contents' }}>
                <dt>{toLabel(field)}</dt>
                <dd>
                  <Value value={value} chars={300} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Answer>
  );
}
