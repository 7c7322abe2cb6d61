export interface ErrorEntry {
  readonly message: string;
  readonly code?: string;
  readonly line?: number;
  readonly column?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface WarningEntry {
  readonly message: string;
  readonly code?: string;
}

/** RULINGS R5; the names are those of the wire. */
export interface ValidationResult {
  readonly cell_index: number;
  readonly cell_id: string;
  readonly language: string;
  readonly valid: boolean;
  readonly errors: readonly ErrorEntry[];
  readonly warnings: readonly WarningEntry[];
  readonly details?: {
    readonly schema_applied?: string;
    readonly schema_ref?: string;
    readonly reason?: string;
  };
}
