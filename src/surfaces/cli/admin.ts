/** One look of `fourfold doctor`. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  /** What to do about it; missing when nothing is to be done. */
  readonly fix?: string | undefined;
}

/** What travels with a command that may take long. */
export interface AdminRun {
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal | undefined;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/**
 * What the commands that are no tools do; the program passes the functions. Where one answers an object, it is printed as
 * the answer of a tool is, readable or as JSON.
 */
export interface Admin {
  /** Serves HTTP; settles when the server has stopped. */
  serve(): Promise<void>;
  /** Speaks MCP over stdin and stdout; settles when the client is gone. */
  stdio(): Promise<void>;
  doctor(): Promise<readonly DoctorCheck[]>;
  /** One row a setting. */
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
    options: { readonly from: string; readonly mode: 'fail' | 'skip' | 'replace'; readonly tenant: string | undefined },
    run: AdminRun,
  ): Promise<object>;
  /** Writes the generated files, or with `check` only compares; answers the paths that differed. */
  generate(options: { readonly check: boolean }): Promise<readonly string[]>;
  readonly keys: {
    create(options: {
      readonly name: string;
      readonly tenant: string;
      readonly scopes: readonly string[];
      readonly expiresDays: number | undefined;
    }): Promise<object>;
    list(options: { readonly tenant: string }): Promise<object>;
    revoke(options: { readonly id: string; readonly tenant: string }): Promise<object>;
  };
}
