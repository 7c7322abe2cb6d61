import type { AdminRun } from './admin.ts';

interface Whose {
  readonly tenant: string;
}

/** How much was not as the observations make it. */
interface Rebuilt {
  readonly differing: number;
  readonly missing: number;
  readonly misdirected_relationships: number;
  readonly wrong_totals: readonly string[];
}

/** What truth needs as a whole: files of it, and the proof that nothing in it was made up. */
export interface TruthAdmin {
  export(options: { readonly to: string; readonly force: boolean } & Whose, run: AdminRun): Promise<object>;
  import(
    options: { readonly paths: readonly string[]; readonly dryRun: boolean } & Whose,
    run: AdminRun,
  ): Promise<object>;
  /** Reduces every entity anew from its observations; with `check` only compares. */
  rebuild(options: { readonly check: boolean } & Whose, run: AdminRun): Promise<Rebuilt>;
  /** Lists them, or takes one in from a file, or lets one go. */
  capabilities(
    options: { readonly register: string | undefined; readonly remove: string | undefined } & Whose,
    run: AdminRun,
  ): Promise<object>;
  schemas(
    options: { readonly register: string | undefined; readonly activate: string | undefined } & Whose,
    run: AdminRun,
  ): Promise<object>;
}
