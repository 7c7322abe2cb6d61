import type { TemplateFragment } from '../base/base-entries.ts';
import type { TemplateChoice, TemplateTree } from './compose-template.ts';

export interface TemplateRequest extends Omit<TemplateChoice, 'version'> {
  /** `both` means v5 if available, else v4. */
  readonly version: 'v4' | 'v5' | 'both';
}

const noMatch = 'No matching templates found for the specified configuration';

export interface TemplateDeps {
  readonly loadFragments: () => Promise<readonly TemplateFragment[]>;
}

const toFile = ([path, content]: readonly [string, string]) =>
  [path, { path, content, size: Buffer.byteLength(content) }] as const;

export type Templates = ReturnType<typeof createTemplates>;

export function createTemplates({ loadFragments }: TemplateDeps) {
  /** One entry per choice. Fragments do not change while the program runs. */
  const composed = new Map<string, TemplateTree | undefined>();

  async function compose(choice: TemplateChoice): Promise<TemplateTree | undefined> {
    const { database, auth, typescript, version } = choice;
    const key = JSON.stringify([database, auth, typescript, version]);
    if (!composed.has(key)) {
      // Loaded on demand: its parser is large.
      const { composeTemplate } = await import('./compose-template.ts');
      composed.set(key, composeTemplate(await loadFragments(), choice));
    }
    return composed.get(key);
  }

  async function tree({ version, ...wanted }: TemplateRequest): Promise<TemplateTree | undefined> {
    if (version !== 'both') return compose({ ...wanted, version });
    return (await compose({ ...wanted, version: 'v5' })) ?? compose({ ...wanted, version: 'v4' });
  }

  return {
    /** Undefined if the knowledge base has no matching fragments. */
    tree,
    async answer({ database, auth, typescript, version }: TemplateRequest) {
      const request = { database, auth, typescript, version };
      const found = await tree(request);
      if (found === undefined) return { error: noMatch, ...request };
      const { dependencies, featureFlags, files } = found;
      return { ...request, dependencies, featureFlags, files: Object.fromEntries([...files].map(toFile)) };
    },
  };
}
