import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findQuestionErrors, type LineQuestion, linesOf, parseQuestions, splitOnce } from './judged-lines.ts';

export interface Turn {
  /** `conversation/session/turn`, both numbers from 1. */
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
}

export interface Session {
  /** `2026-03-04`. */
  readonly date: string;
  readonly title: string;
  readonly turns: readonly Turn[];
}

export interface Conversation {
  readonly name: string;
  readonly sessions: readonly Session[];
  /** Their ids are those of turns. */
  readonly questions: readonly LineQuestion[];
}

const folder = fileURLToPath(new URL('dialogue', import.meta.url));
const dateLength = '2026-03-04'.length;
const questionsEnding = '.questions.txt';

/** Reads `# date title` before each session and `Speaker: text` for each turn. */
function parseSessions(name: string, text: string): readonly Session[] {
  const sessions: { date: string; title: string; turns: Turn[] }[] = [];
  for (const line of linesOf(text)) {
    if (line.startsWith('# ')) {
      const heading = line.slice('# '.length);
      sessions.push({ date: heading.slice(0, dateLength), title: heading.slice(dateLength + 1), turns: [] });
      continue;
    }
    const session = sessions.at(-1);
    if (!session) throw new Error(`${name} has a turn before its first session: ${line}`);
    const [speaker, spoken] = splitOnce(line, ': ');
    session.turns.push({ id: `${name}/${sessions.length}/${session.turns.length + 1}`, speaker, text: spoken });
  }
  return sessions;
}

export const parseConversation = (name: string, text: string, questions: string): Conversation => ({
  name,
  sessions: parseSessions(name, text),
  questions: parseQuestions(questions),
});

export const turnsOf = ({ sessions }: Conversation): readonly Turn[] => sessions.flatMap(({ turns }) => turns);

/**
 * The conversations in `bench/judged/dialogue`, each meant for a namespace of its own with one pad per session. Greetings,
 * asides and farewells, about a quarter of the turns, come from a stock of phrases and repeat now and then. The questions
 * were written together with the text, before any measurement: change neither after looking at a ranking.
 */
export const readConversations = (): readonly Conversation[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(questionsEnding))
    .map((file) => file.slice(0, -questionsEnding.length))
    .toSorted()
    .map((name) =>
      parseConversation(
        name,
        readFileSync(join(folder, `${name}.txt`), 'utf8'),
        readFileSync(join(folder, `${name}${questionsEnding}`), 'utf8'),
      ),
    );

const isDate = (date: string): boolean => new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) ?? false;

/** Questions without a turn, sessions out of order or too short, and turns of a third speaker. */
export function findInconsistencies(conversation: Conversation): readonly string[] {
  const { name, sessions, questions } = conversation;
  const turns = turnsOf(conversation);
  const found: string[] = [];
  sessions.forEach(({ date, title, turns: { length } }, index) => {
    if (!isDate(date)) found.push(`${name} has a session with an invalid date: ${date}`);
    if (title === '') found.push(`${name} has a session without a title: ${date}`);
    if (date < (sessions[index - 1]?.date ?? '')) found.push(`${name} has a session out of order: ${date}`);
    if (length < 12 || length > 20) found.push(`${name} has a session of ${length} turns: ${date}`);
  });
  const speakers = new Set(turns.map(({ speaker }) => speaker));
  if (speakers.size !== 2) found.push(`${name} has other than two speakers: ${[...speakers].join(', ')}`);
  return [
    ...found,
    ...findQuestionErrors(
      turns.map(({ id }) => id),
      questions,
    ),
  ];
}
