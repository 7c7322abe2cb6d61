import { TableScroll } from '../../kit/table-scroll.tsx';

/** Fields as a person reads them: texts as they are, lists in one line, the rest as JSON. */
const toText = (value: unknown): string => {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value, undefined, 1);
};

/** They follow from other fields. */
const followers: ReadonlySet<string> = new Set(['changeLog', 'semanticSummary']);

interface FieldChangesProps {
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
}

/** The other fields that differ between two states of a rule. */
export function FieldChanges({ changes }: FieldChangesProps) {
  const rows = Object.entries(changes).filter(([field]) => !followers.has(field));
  if (rows.length === 0) return null;
  return (
    <TableScroll name="Changed fields">
      <table>
        <thead>
          <tr>
            <th>Field</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([field, { before, after }]) => (
            <tr key={field}>
              <td>{field}</td>
              <td>
                <bdi>{toText(before)}</bdi>
              </td>
              <td>
                <bdi>{toText(after)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
