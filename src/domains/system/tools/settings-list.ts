import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const shownSetting = z.object({
  name: z.string(),
  group: z.string(),
  about: z.string(),
  value: z.string().describe('Secrets are masked'),
  isSet: z.boolean(),
  isSecret: z.boolean(),
  source: z.enum(['flag', 'variable', 'file', 'default']),
  sourceName: z.string().optional().describe('The flag, the variable or the file'),
  fallback: z.string().describe('Its value, or what happens, without the setting'),
  variable: z.string(),
});
export type ShownSetting = z.infer<typeof shownSetting>;

export const settingsList = defineTool({
  name: 'settings/list',
  title: 'Settings of the server',
  summary: 'Lists every setting with its value and where it comes from; only for the operator.',
  guide: { when: ['you want to know how this server is configured'], example: {} },
  effect: 'read',
  scope: 'admin',
  stable: false,
  answer: 'whole',
  expose: ['mcp', 'http'],
  input: z.strictObject({}),
  output: z.object({ settings: z.array(shownSetting) }),
  faults: ['PERMISSION_DENIED'],
  run: (system: System, _input, call) => system.operations.settings(call),
});
