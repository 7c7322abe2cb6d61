export const databases = ['mongodb', 'postgresql', 'sqlite'] as const;

export type Database = (typeof databases)[number];

/** One application among those that can be made. */
export interface TemplateChoice {
  readonly database: Database;
  readonly auth: boolean;
  readonly typescript: boolean;
  readonly version: 'v4' | 'v5';
}
