import { contextLimits } from '../context-limits.ts';
import type { FactSource, FoundFact, FoundNote, FoundPassage, FoundRule, UpcomingValue } from '../memories.ts';
import type { Candidate } from './fit-budget.ts';
import { shortenText } from './shorten-text.ts';

const isGeneralAdvice = ({ isBinding, isAboutTask }: FoundRule): boolean => !isBinding && !isAboutTask;

const ruleRelevance = (rule: FoundRule): number => {
  if (isGeneralAdvice(rule)) return 0.3;
  return rule.applies ? 1 : 0.7;
};

const isSameText = (title: string, body: string): boolean => body.trim() === title;

/** The title of a remembered rule is its text, or the beginning of it. */
const isTitledByText = (title: string, body: string): boolean =>
  isSameText(title, body) || (title.endsWith('…') && body.startsWith(title.slice(0, -1)));

/** A long rule that applies to every task must not fill the answers to tasks that it has nothing in common with. */
function toBody({ title, body = '', isAboutTask }: FoundRule) {
  if (body === '' || isSameText(title, body)) return {};
  const shown = isAboutTask ? body : shortenText(body, contextLimits.unrelatedBodyTokens);
  return { body: shown, ...(shown !== body && { cut: true as const }) };
}

/** General advice is only named. A wish that was remembered is shown in any case. */
function isOnlyNamed(rule: FoundRule): boolean {
  const { title, body = title } = rule;
  return isGeneralAdvice(rule) && !isTitledByText(title, body);
}

export function toRuleCandidate(rule: FoundRule, i: number): Candidate {
  const { id, title, requirement, isBinding, isAboutTask, applies, why, body = '' } = rule;
  const name = { id, title, requirement };
  return {
    part: 'rules',
    id,
    content: [title, requirement, body === '' ? null : body],
    relevance: ruleRelevance(rule) / (1 + i * 0.02),
    isAboutTask,
    item: { ...name, ...(applies ? {} : { may_apply: true }), ...(why !== '' && { why }), ...toBody(rule) },
    textField: 'body',
    ...(isBinding && { head: name }),
    isOnlyNamed: isOnlyNamed(rule),
  };
}

/** What recall adds to a fact that was found. */
export interface AboutFact {
  readonly source?: FactSource | undefined;
  readonly relations?: readonly string[] | undefined;
  readonly upcoming?: readonly UpcomingValue[] | undefined;
}

export function toFactCandidate(
  { entityId, type, name, fields, relevance }: FoundFact,
  { source, relations, upcoming }: AboutFact,
): Candidate {
  const more = { ...(relations && { relations }), ...(upcoming && { upcoming }) };
  return {
    part: 'facts',
    id: entityId,
    content: Object.keys(more).length === 0 ? fields : { fields, ...more },
    relevance,
    item: {
      ...{ entity_id: entityId, type, name, fields, ...more },
      ...(source && { as_of: source.asOf, source: source.source, ...(source.isForeign && { untrusted: true }) }),
    },
  };
}

export const toNoteCandidate = (note: FoundNote): Candidate => ({
  part: 'notes',
  id: note.cellId === undefined ? note.scratchId : `${note.scratchId}/${note.cellId}`,
  content: note.text,
  relevance: note.relevance,
  item: toNoteItem(note),
  textField: 'text',
});

const toNoteItem = ({ scratchId, cellId, namespace, title, author, isForeign, text, before, after }: FoundNote) => ({
  scratch_id: scratchId,
  ...(cellId !== undefined && { cell_id: cellId }),
  ...(namespace !== undefined && { namespace }),
  ...(title !== undefined && { title }),
  ...(isForeign && author !== undefined && { by: author, untrusted: true as const }),
  ...(before.length > 0 && { before }),
  text,
  ...(after.length > 0 && { after }),
});

export const toDocCandidate = ({
  id,
  title,
  library,
  text,
  relevance,
  isForeign,
  isSnippet,
}: FoundPassage): Candidate => ({
  part: 'docs',
  id,
  logId: library,
  content: text,
  relevance,
  item: { id, title, library, ...(isForeign && { untrusted: true }), text, ...(isSnippet && { cut: true }) },
  textField: 'text',
});
