const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
const entriesCount = 200;

const Leaf = ({ value }: { readonly value: unknown }) => <code>{JSON.stringify(value) ?? 'undefined'}</code>;

function Branch({ name, value, depth }: { readonly name: string; readonly value: unknown; readonly depth: number }) {
  if (!isTree(value)) {
    return (
      <li>
        <span className="soft">{name}: </span>
        <Leaf value={value} />
      </li>
    );
  }
  const entries = Object.entries(value);
  return (
    <li>
      <details open={depth < 2}>
        <summary>
          <span className="soft">{name}</span> {Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}
        </summary>
        <ul>
          {entries.slice(0, entriesCount).map(([key, inner]) => (
            <Branch key={key} name={key} value={inner} depth={depth + 1} />
          ))}
          {entries.length > entriesCount && <li className="soft">and {entries.length - entriesCount} more</li>}
        </ul>
      </details>
    </li>
  );
}

/** A JSON value that can be folded. */
export const JsonTree = ({ value }: { readonly value: unknown }) =>
  isTree(value) ? (
    <ul className="json-tree">
      {Object.entries(value)
        .slice(0, entriesCount)
        .map(([key, inner]) => (
          <Branch key={key} name={key} value={inner} depth={1} />
        ))}
    </ul>
  ) : (
    <Leaf value={value} />
  );
