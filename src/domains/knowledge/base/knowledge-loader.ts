import type { Log } from '#kernel/log/log.ts';
import { knowledgeFaults } from '../knowledge-faults.ts';
import { type BaseCategory, type EntriesByCategory, isBaseCategory } from './base-entries.ts';
import { isFileName, listFiles, readFile } from './base-files.ts';

export interface LoaderOptions {
  /** Each in the form of the shipped base, as JSON or Markdown. A later one replaces entries with the same id. */
  readonly directories: readonly string[];
  readonly log: Log;
}

export class KnowledgeLoader {
  readonly directories: readonly string[];
  private readonly log: Log;

  constructor({ directories, log }: LoaderOptions) {
    this.directories = directories;
    this.log = log;
  }

  /** Returns nothing for a missing category or file. Throws if the requested file is invalid. */
  load<C extends BaseCategory>(category: C, file?: string): Promise<readonly EntriesByCategory[C][]>;
  load(category: string, file?: string): Promise<readonly unknown[]>;
  async load(category: string, file?: string): Promise<readonly unknown[]> {
    if (!isBaseCategory(category)) return [];
    if (file !== undefined) return isFileName(file) ? this.loadFile(category, file) : [];
    const entries = new Map<string, unknown>();
    for (const directory of this.directories) {
      for (const name of listFiles(directory, category)) {
        for (const entry of this.tryFile(directory, category, name)) entries.set(entry.id, entry);
      }
    }
    return [...entries.values()];
  }

  async buildIndex() {
    const [docs, templates, snippets, patterns, bestPractices] = await Promise.all([
      this.load('docs'),
      this.load('templates'),
      this.load('snippets'),
      this.load('patterns'),
      this.load('best-practices'),
    ]);
    const byCategory = Object.fromEntries(Map.groupBy(docs, ({ category }) => category));
    return { byCategory, templates, snippets, patterns, bestPractices };
  }

  private loadFile<C extends BaseCategory>(category: C, file: string): readonly EntriesByCategory[C][] {
    const entries = new Map<string, EntriesByCategory[C]>();
    for (const directory of this.directories) {
      try {
        for (const entry of readFile(directory, category, file) ?? []) entries.set(entry.id, entry);
      } catch (error) {
        const why = (error as Error).message;
        throw knowledgeFaults.BAD_KNOWLEDGE_FILE({ file: `${category}/${file}`, why }, {}, { cause: error });
      }
    }
    return [...entries.values()];
  }

  /** Loading a whole category must not fail because of one bad file. */
  private tryFile<C extends BaseCategory>(
    directory: string,
    category: C,
    file: string,
  ): readonly EntriesByCategory[C][] {
    try {
      return readFile(directory, category, file) ?? [];
    } catch (error) {
      this.log.warn(
        { directory, category, file, reason: (error as Error).message },
        'skipping a knowledge file that cannot be read',
      );
      return [];
    }
  }
}
