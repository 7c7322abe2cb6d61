import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Knowledge } from '../knowledge.ts';
import { type IngestAnswer, ingestAnswer } from './knowledge-ingest.ts';

export const knowledgeAdd = defineTool({
  name: 'knowledge_add',
  title: 'Import docs from this machine',
  summary: 'Imports the docs of libraries for search_docs: folders, installed packages, llms.txt files, zip archives.',
  guide: { when: ['agents should search the docs of the versions you use'], example: { sources: ['zod'] } },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    sources: z
      .array(z.string().min(1))
      .min(1)
      .describe('A folder, a file, an llms.txt, a zip archive, or the name of a package in node_modules'),
    library: z.string().optional().describe('The name of the library; by default the name it gives itself'),
    version: z.string().optional().describe('Its version; by default the one in its package.json'),
    ignore: z.boolean().default(true).describe('Skips files listed in .gitignore; --no-ignore includes them'),
    dryRun: z.boolean().default(false).describe('Shows what would change and changes nothing'),
  }),
  output: z.object({ libraries: z.array(ingestAnswer) }),
  faults: ['CONFLICT', 'INVALID_PARAMS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  readsWhen: ({ dryRun }) => dryRun,
  async run(knowledge: Knowledge, { sources, library, version, ignore, dryRun }, call) {
    if (sources.length > 1 && (library !== undefined || version !== undefined))
      throw faults.INVALID_PARAMS({ why: '--library and --version apply to a single source' });
    const { ingest, libraries, forbiddenRoots } = knowledge;
    const access = { roots: undefined, forbidden: forbiddenRoots, base: process.cwd(), includesIgnored: !ignore };
    const ingested: IngestAnswer[] = [];
    for (const source of sources) {
      const input = { source, library, version, ...(dryRun ? { dry_run: true } : {}) };
      ingested.push(await ingest.run(input, call, access));
    }
    const changedCount = ingested.reduce((sum, { added, changed, removed }) => sum + added + changed + removed, 0);
    if (!dryRun) await libraries.mergeIndex(call.tenant, changedCount);
    return { libraries: ingested };
  },
});
