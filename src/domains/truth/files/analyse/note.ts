import { truthLimits } from '../../truth-limits.ts';
import { cutText } from '../extract/bounded-text.ts';
import { type FoundFields, found } from './analysis.ts';

const task = /^\s*[-*] \[([ xX])\] (\S.*)$/;

/** Open and ticked boxes of a Markdown list. */
function findTasks(text: string) {
  const tasks = text.split('\n').flatMap((line) => {
    const [, box, title] = task.exec(line) ?? [];
    if (title === undefined) return [];
    return [{ title: cutText(title.trim(), truthLimits.analysedTitleChars), status: box === ' ' ? 'open' : 'done' }];
  });
  return tasks.length === 0 ? undefined : tasks.slice(0, truthLimits.tasksCount);
}

/** Everything else: kept as it is, to be found by its words. */
export const findNote = (title: string, text: string): FoundFields =>
  found({
    title,
    content: cutText(text, truthLimits.noteContentChars),
    tasks: findTasks(text.slice(0, truthLimits.analysedChars)),
  });
