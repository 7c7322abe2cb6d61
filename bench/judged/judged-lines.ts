export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Splits a line at the first separator, and throws if there is none. */
export function splitOnce(line: string, separator: string): readonly [string, string] {
  const at = line.indexOf(separator);
  if (at < 1) throw new Error(`expected "${separator}" in: ${line}`);
  return [line.slice(0, at), line.slice(at + separator.length)];
}

/** A question, and the ids of the items that answer it. */
export interface LineQuestion {
  readonly asks: string;
  readonly right: readonly string[];
}

/** Reads `question | id id`, one question per line. */
export const parseQuestions = (text: string): readonly LineQuestion[] =>
  linesOf(text).map((line) => {
    const [asks, ids] = splitOnce(line, ' | ');
    return { asks, right: ids.split(' ') };
  });

/** Ids that occur twice, questions that are asked twice, and questions about ids that do not exist. */
export function findQuestionErrors(ids: readonly string[], questions: readonly LineQuestion[]): readonly string[] {
  const known = new Set(ids);
  const asked = new Set<string>();
  const found: string[] = known.size === ids.length ? [] : ['an id occurs twice'];
  for (const { asks, right } of questions) {
    if (asked.has(asks)) found.push(`asked twice: ${asks}`);
    asked.add(asks);
    for (const id of right) if (!known.has(id)) found.push(`no ${id} for: ${asks}`);
  }
  return found;
}
