import { faults } from '#kernel/fault/kernel-faults.ts';
import { findFiles, readTextFile } from '#kernel/paths/find-files.ts';
import { integrationLimits } from '../integration-limits.ts';
import type { MemoryFile, ParseMemories, SkippedPart } from './memory-item.ts';

/** A program whose memories can be imported. Its parser is loaded when it is needed. */
interface MemoryProgram {
  /** Which files of a folder are read; a file that was named itself is read whatever its name. */
  isWanted(path: string): boolean;
  load(): Promise<ParseMemories>;
}

const isConversations = (path: string): boolean => /(?:^|\/)conversations(?:-\d+)?\.json$/.test(path);

export const memoryPrograms = {
  'server-memory': {
    isWanted: (path) => /(?:^|\/)memory\.jsonl?$/.test(path),
    load: async () => (await import('./formats/server-memory.ts')).parseServerMemory,
  },
  'basic-memory': {
    isWanted: (path) => path.endsWith('.md'),
    load: async () => (await import('./formats/basic-memory.ts')).parseBasicMemory,
  },
  mem0: {
    isWanted: (path) => path.endsWith('.json'),
    load: async () => (await import('./formats/mem0.ts')).parseMem0,
  },
  chatgpt: { isWanted: isConversations, load: async () => (await import('./formats/conversations.ts')).parseChatGpt },
  claude: { isWanted: isConversations, load: async () => (await import('./formats/conversations.ts')).parseClaude },
  'claude-code': {
    isWanted: (path) => path.endsWith('.jsonl') || /(?:^|\/)memory\/[^/]+\.md$/.test(path),
    load: async () => (await import('./formats/claude-code.ts')).parseClaudeCode,
  },
} as const satisfies Readonly<Record<string, MemoryProgram>>;

export type ProgramName = keyof typeof memoryPrograms;
export const programNames = Object.keys(memoryPrograms) as [ProgramName, ...ProgramName[]];

export async function readMemoryFiles(program: ProgramName, paths: readonly string[]) {
  const { isWanted } = memoryPrograms[program];
  const { filesCount, folderDepth, memoryFileBytes } = integrationLimits;
  const listing = await findFiles(paths, {
    formatOf: (path) => (isWanted(path) ? 'memory' : undefined),
    namedFormat: (path) =>
      path.toLowerCase().endsWith('.zip') ? { reason: 'it is an archive: unpack it and name the folder' } : 'memory',
    isEntered: (folder) => folder !== 'node_modules' && !folder.startsWith('.'),
    filesCount,
    folderDepth,
  });
  const files: MemoryFile[] = [];
  const skipped: SkippedPart[] = [...listing.skipped];
  for (const file of listing.files) {
    const text = await readTextFile(file, memoryFileBytes);
    if (typeof text === 'string') files.push({ path: file.path, text: text.replace(/^\uFEFF/, '') });
    else skipped.push(text);
  }
  if (listing.files.length + skipped.length === 0) {
    const fix = 'Name the file or the folder that the program wrote.';
    throw faults.NOT_FOUND({ what: `a file of ${program} in ${paths.join(', ')}` }, { fix });
  }
  return { files, skipped };
}
