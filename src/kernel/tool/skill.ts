import type { Topic } from '../storage/port.ts';
import type { Ask, Page } from './resource.ts';

/** A folder with a `SKILL.md` (front matter with `name` and `description`, then text) and the files it refers to. */
export interface Skill {
  /** The folder: `review-checklist`; its last part is the `name` of the front matter. */
  readonly path: string;
  /** By path inside the folder; always includes `SKILL.md`. */
  readonly files: Readonly<Record<string, string>>;
}

export interface SkillCatalog {
  list(ask: Ask, cursor: string | undefined): Promise<Page<Skill>>;
  /** Listed or not; undefined if it does not exist. */
  find(path: string, ask: Ask): Promise<Skill | undefined>;
  /** Changes of this topic change the list. */
  readonly topic?: Topic;
}
