import type { Setting } from './setting.ts';

const common = { group: 'Knowledge', part: 'knowledge' } as const;

/** What steers the docs that are searched and the templates that are composed. */
export const knowledgeSettings = {
  knowledgeDirs: {
    ...common,
    kind: 'list',
    items: 'path',
    splitAt: 'delimiter',
    about:
      'Folders with knowledge of your own, beside the shipped base: docs, snippets, patterns, best-practices and templates. An entry of the same id replaces the shipped one.',
    fallback: [],
  },
} as const satisfies Readonly<Record<string, Setting>>;
