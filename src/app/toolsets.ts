import type { Context } from '#domains/context/context.ts';
import type { Instructions } from '#domains/instructions/instructions.ts';
import type { Integrations } from '#domains/integrations/integrations.ts';
import type { Knowledge } from '#domains/knowledge/knowledge.ts';
import type { Notebooks } from '#domains/notebooks/notebooks.ts';
import type { SystemDeps } from '#domains/system/system.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Card } from '#kernel/tool/card.ts';
import { bindToolset, type ToolsetLoader } from '#kernel/tool/registry.ts';
import manifest from '../../package.json' with { type: 'json' };
import generated from './generated/tools.json' with { type: 'json' };

export const version: string = manifest.version;

/** All tools as data; `fourfold generate` writes the file from the declarations. */
export const cards = generated as readonly Card[];

/** Tools besides the program's own; only the build for tests and benchmarks has any. */
export interface ExtraToolset {
  readonly name: string;
  readonly cards: readonly Card[];
  load(deps: { readonly storage: Storage }): ReturnType<ToolsetLoader>;
}

/** What each domain needs. Its code is loaded when one of its tools is first called. */
interface DomainDeps {
  readonly system: () => SystemDeps;
  readonly instructions: () => Promise<Instructions>;
  readonly knowledge: () => Promise<Knowledge>;
  readonly notebooks: () => Promise<Notebooks>;
  readonly truth: () => Promise<Truth>;
  readonly integrations: () => Promise<Integrations>;
  readonly context: () => Promise<Context>;
}

export const toolsetLoaders = (deps: DomainDeps): Readonly<Record<string, ToolsetLoader>> => ({
  async system() {
    const [{ systemToolset }, { createSystem }] = await Promise.all([
      import('#domains/system/system-toolset.ts'),
      import('#domains/system/system.ts'),
    ]);
    return bindToolset(systemToolset, createSystem(deps.system()));
  },
  async instructions() {
    const [{ instructionsToolset }, instructions] = await Promise.all([
      import('#domains/instructions/instructions-toolset.ts'),
      deps.instructions(),
    ]);
    return bindToolset(instructionsToolset, instructions);
  },
  async knowledge() {
    const [{ knowledgeToolset }, knowledge] = await Promise.all([
      import('#domains/knowledge/knowledge-toolset.ts'),
      deps.knowledge(),
    ]);
    return bindToolset(knowledgeToolset, knowledge);
  },
  async notebooks() {
    const [{ notebooksToolset }, notebooks] = await Promise.all([
      import('#domains/notebooks/notebooks-toolset.ts'),
      deps.notebooks(),
    ]);
    return bindToolset(notebooksToolset, notebooks);
  },
  async truth() {
    const [{ truthToolset }, truth] = await Promise.all([import('#domains/truth/truth-toolset.ts'), deps.truth()]);
    return bindToolset(truthToolset, truth);
  },
  async integrations() {
    const [{ integrationsToolset }, integrations] = await Promise.all([
      import('#domains/integrations/integrations-toolset.ts'),
      deps.integrations(),
    ]);
    return bindToolset(integrationsToolset, integrations);
  },
  async context() {
    const [{ contextToolset }, context] = await Promise.all([
      import('#domains/context/context-toolset.ts'),
      deps.context(),
    ]);
    return bindToolset(contextToolset, context);
  },
});
