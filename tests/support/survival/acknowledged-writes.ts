/** Items by id; undefined: deleted. */
export type Things<Thing> = ReadonlyMap<string, Thing | undefined>;

/** A previous state that a write moved to the trash, and why. */
export interface TrashedState<Thing> {
  readonly thing: Thing;
  readonly why: string;
}

interface OpenRequest<Thing> {
  readonly after: Things<Thing>;
  readonly putsAway: ReadonlyMap<string, string>;
  /** Its items are stored one after the other instead of together. */
  readonly isOneByOne: boolean;
}

/** By default a write moves the items that it deletes to the trash. */
const removedBy = <Thing>(after: Things<Thing>): ReadonlyMap<string, string> =>
  new Map([...after].filter(([, thing]) => thing === undefined).map(([id]) => [id, 'delete']));

/** The acknowledged state of a program, and requests without an answer. */
export class AcknowledgedWrites<Thing> {
  readonly #kept = new Map<string, Thing | undefined>();
  readonly #putAway = new Map<string, TrashedState<Thing>[]>();
  readonly #open = new Map<number, OpenRequest<Thing>>();
  readonly #textOf: (thing: Thing) => string;

  /** Two items with the same text are equal. */
  constructor(textOf: (thing: Thing) => string) {
    this.#textOf = textOf;
  }

  /** The last acknowledged state. */
  present(id: string): Thing | undefined {
    return this.#kept.get(id);
  }

  /** Ids of acknowledged items that no open request changes. */
  get certain(): readonly string[] {
    const uncertain = new Set([...this.#open.values()].flatMap(({ after }) => [...after.keys()]));
    return [...this.#kept].flatMap(([id, thing]) => (thing === undefined || uncertain.has(id) ? [] : [id]));
  }

  /** The item of the last removal. */
  archived(id: string): Thing | undefined {
    return this.#putAway.get(id)?.at(-1)?.thing;
  }

  /** All trashed states, oldest first. */
  get putAway(): ReadonlyMap<string, readonly TrashedState<Thing>[]> {
    return this.#putAway;
  }

  /** Each caller has one open request, and no two callers use the same items. */
  ask(
    caller: number,
    after: Things<Thing>,
    putsAway: ReadonlyMap<string, string> = removedBy(after),
    isOneByOne = false,
  ): void {
    this.#open.set(caller, { after, putsAway, isOneByOne });
  }

  acknowledge(caller: number): void {
    const asked = this.#open.get(caller);
    if (asked !== undefined) this.#settle(asked);
    this.#open.delete(caller);
  }

  /**
   * Reports differences. An unacknowledged request must be complete or absent; of items that are stored one by one, only
   * the last ones may be absent.
   */
  compare(present: ReadonlyMap<string, Thing>): readonly string[] {
    const flaws: string[] = [];
    for (const asked of this.#open.values()) {
      const { after } = asked;
      const ids = [...after.keys()];
      if (asked.isOneByOne) {
        flaws.push(...this.#compareOneByOne(after, present));
        continue;
      }
      const isDone = ids.every((id) => this.#isSame(present.get(id), after.get(id)));
      const isUndone = ids.every((id) => this.#isSame(present.get(id), this.#kept.get(id)));
      if (!isDone && !isUndone) {
        flaws.push(`half done: ${ids.map((id) => `${id} is ${this.#describe(present.get(id))}`).join(', ')}`);
      }
      if (isDone) this.#settle(asked);
    }
    this.#open.clear();
    for (const [id, thing] of this.#kept) {
      if (!this.#isSame(present.get(id), thing)) {
        flaws.push(`${id} is ${this.#describe(present.get(id))}, not ${this.#describe(thing)}`);
      }
    }
    for (const id of present.keys()) if (!this.#kept.has(id)) flaws.push(`${id} was never written`);
    return flaws;
  }

  #compareOneByOne(after: Things<Thing>, present: ReadonlyMap<string, Thing>): readonly string[] {
    const flaws: string[] = [];
    let missing: string | undefined;
    for (const [id, thing] of after) {
      if (!this.#isSame(present.get(id), thing)) {
        missing ??= id;
        continue;
      }
      if (missing !== undefined) flaws.push(`out of order: ${id} is stored, ${missing} before it is not`);
      this.#kept.set(id, thing);
    }
    return flaws;
  }

  #isSame(a: Thing | undefined, b: Thing | undefined): boolean {
    return this.#describe(a) === this.#describe(b);
  }

  #describe(thing: Thing | undefined): string {
    return thing === undefined ? 'nothing' : this.#textOf(thing);
  }

  #settle({ after, putsAway }: OpenRequest<Thing>): void {
    for (const [id, why] of putsAway) {
      const thing = this.#kept.get(id);
      if (thing !== undefined) this.#putAway.set(id, [...(this.#putAway.get(id) ?? []), { thing, why }]);
    }
    for (const [id, thing] of after) this.#kept.set(id, thing);
  }
}
