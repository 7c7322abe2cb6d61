export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string | undefined;
}

export interface AdminRun {
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/**
 * What the commands that are not tools do; the program passes the functions. An object they return is printed like the
 * answer of a tool.
 */
export interface Admin {
  /** Serves HTTP; resolves when the server has stopped. */
  serve(): Promise<void>;
  /** Speaks MCP over stdin and stdout; resolves when the client has disconnected. */
  stdio(): Promise<void>;
  doctor(
    options: {
      readonly deep: boolean;
      readonly repairFrom: string | undefined;
      readonly acceptDamaged: boolean;
    },
    run: AdminRun,
  ): Promise<readonly DoctorCheck[]>;
  config(): readonly object[] | Promise<readonly object[]>;
  migrate(run: AdminRun): Promise<object>;
  backup(
    options: { readonly to: string | undefined; readonly withKeys: boolean; readonly filesOnly: boolean },
    run: AdminRun,
  ): Promise<object>;
  restore(
    options: { readonly from: string; readonly force: boolean; readonly newKeys: boolean },
    run: AdminRun,
  ): Promise<object>;
  export(options: { readonly to: string; readonly tenant: string }, run: AdminRun): Promise<object>;
  import(
    options: { readonly file: string; readonly mode: 'fail' | 'skip' | 'replace'; readonly tenant: string | undefined },
    run: AdminRun,
  ): Promise<object>;
  /** Imports the files of another program. The argument `from` names it. */
  importMemories(
    options: {
      readonly from: string;
      readonly paths: readonly string[];
      readonly namespace: string | undefined;
      readonly dryRun: boolean;
      readonly tenant: string | undefined;
    },
    run: AdminRun,
  ): Promise<object & { readonly errorsCount: number }>;
  /** Writes the generated files, or only compares them with `check`; returns the paths that differed. */
  generate(options: { readonly check: boolean }): Promise<readonly string[]>;
  /** The example company, in a tenant of its own. */
  readonly demo: { create(run: AdminRun): Promise<object>; remove(run: AdminRun): Promise<object> };
  readonly keys: {
    link(options: { readonly tenant: string; readonly scopes: readonly string[] }): Promise<object>;
    create(options: {
      readonly name: string;
      readonly tenant: string;
      readonly scopes: readonly string[];
      readonly expiresDays: number | undefined;
    }): Promise<object>;
    list(options: { readonly tenant: string; readonly all: boolean }): Promise<object>;
    revoke(options: { readonly id: string; readonly tenant: string; readonly all: boolean }): Promise<object>;
  };
}
