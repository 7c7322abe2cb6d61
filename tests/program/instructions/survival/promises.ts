/** What of an entry is looked at: every write says something new here. */
export interface Content {
  readonly body: string;
  readonly owner: string;
}

/** Entries by id; undefined: it is not there. */
export type Contents = ReadonlyMap<string, Content | undefined>;

const isSame = (a: Content | undefined, b: Content | undefined): boolean =>
  a?.body === b?.body && a?.owner === b?.owner;

const tell = (content: Content | undefined): string =>
  content === undefined ? 'nothing' : `${content.body} of ${content.owner}`;

/** What a program has promised by its answers, and what it was asked for without having answered yet. */
export class Promises {
  readonly #kept = new Map<string, Content | undefined>();
  readonly #archived = new Map<string, Content>();
  readonly #open = new Map<number, Contents>();

  /** What was acknowledged last. */
  present(id: string): Content | undefined {
    return this.#kept.get(id);
  }

  /** What the newest removal took away. */
  archived(id: string): Content | undefined {
    return this.#archived.get(id);
  }

  /** One caller asks for one thing at a time, and no two callers for the same entries. */
  ask(caller: number, after: Contents): void {
    this.#open.set(caller, after);
  }

  acknowledge(caller: number): void {
    this.#settle(this.#open.get(caller) ?? new Map());
    this.#open.delete(caller);
  }

  /** What is wrong with what is there now. What was asked for and not acknowledged is done as a whole or not at all. */
  compare(present: ReadonlyMap<string, Content>): readonly string[] {
    const flaws: string[] = [];
    for (const after of this.#open.values()) {
      const ids = [...after.keys()];
      const isDone = ids.every((id) => isSame(present.get(id), after.get(id)));
      const isUndone = ids.every((id) => isSame(present.get(id), this.#kept.get(id)));
      if (!isDone && !isUndone) {
        flaws.push(`half done: ${ids.map((id) => `${id} is ${tell(present.get(id))}`).join(', ')}`);
      }
      if (isDone) this.#settle(after);
    }
    this.#open.clear();
    for (const [id, content] of this.#kept) {
      if (!isSame(present.get(id), content)) flaws.push(`${id} is ${tell(present.get(id))}, not ${tell(content)}`);
    }
    for (const id of present.keys()) if (!this.#kept.has(id)) flaws.push(`${id} was made by nobody`);
    return flaws;
  }

  #settle(after: Contents): void {
    for (const [id, content] of after) {
      const before = this.#kept.get(id);
      if (content === undefined && before !== undefined) this.#archived.set(id, before);
      this.#kept.set(id, content);
    }
  }
}
