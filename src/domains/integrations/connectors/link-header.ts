/** The URL of a Link header with this relation (RFC 8288); undefined if there is none. */
export function findLink(header: string | readonly string[] | undefined, relation: string): URL | undefined {
  for (const part of [header ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*<)/)) {
    const [, url = '', parameters = ''] = /^\s*<([^<>]*)>(.*)$/s.exec(part) ?? [];
    const relations = /;\s*rel\s*=\s*"?([^";]*)"?/i.exec(parameters)?.[1]?.split(/\s+/) ?? [];
    if (relations.includes(relation)) return URL.parse(url) ?? undefined;
  }
  return undefined;
}
