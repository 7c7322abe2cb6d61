import type { AdminRun } from './admin.ts';

interface Whose {
  readonly tenant: string;
}

/** Docs in bulk: whoever runs the program may name any folder of the machine. What a tool can do as well is one. */
export interface KnowledgeAdmin {
  /** Takes in what was named, one library each. */
  add(
    options: {
      readonly sources: readonly string[];
      readonly library: string | undefined;
      readonly version: string | undefined;
      readonly ignore: boolean;
      readonly dryRun: boolean;
    } & Whose,
    run: AdminRun,
  ): Promise<object>;
  /** Writes a new application to disk. */
  create(options: {
    readonly folder: string;
    readonly database: 'mongodb' | 'postgresql' | 'sqlite';
    readonly auth: boolean;
    readonly typescript: boolean;
    readonly version: 'v4' | 'v5' | 'both';
    readonly dryRun: boolean;
    readonly force: boolean;
  }): Promise<object>;
  /** Brings a removed library back. */
  restore(options: { readonly library: string; readonly version: string } & Whose, run: AdminRun): Promise<object>;
}
