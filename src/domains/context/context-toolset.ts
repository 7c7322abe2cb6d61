import { defineToolset } from '#kernel/tool/tool.ts';
import type { Context } from './context.ts';
import { forgetTool } from './forget/tools/forget.ts';
import { recallTool } from './recall/tools/recall.ts';
import { recallCompare } from './receipts/tools/recall-compare.ts';
import { recallReceipt } from './receipts/tools/recall-receipt.ts';
import { recallReceipts } from './receipts/tools/recall-receipts.ts';
import { rememberTool } from './remember/tools/remember.ts';

export const contextToolset = defineToolset<Context>({
  name: 'context',
  faultForm: 'traced',
  tools: [recallTool, rememberTool, forgetTool, recallReceipt, recallReceipts, recallCompare],
});
