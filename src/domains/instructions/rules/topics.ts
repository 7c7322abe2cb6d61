import list from './topics.json' with { type: 'json' };

/** A thing or an activity of software work, with the words that engineers use for it. */
export interface Topic {
  /** Completes "about …". */
  readonly name: string;
  /** Words and phrases that name the topic, separated by commas. Any inflection matches. */
  readonly terms: string;
  /** Words that suggest it: symptoms, tools, and everyday language. Several of them count as much as one term. */
  readonly hints?: string;
  /** Its folders (`name/`), parts of file names after a dot (`.sql`, `.test`), and file names without what follows a dot. */
  readonly files?: string;
  /** Names of topics whose rules usually matter to work on this one. */
  readonly concerns?: string;
}

/** General vocabulary of software work. */
export const topics: readonly Topic[] = list;
