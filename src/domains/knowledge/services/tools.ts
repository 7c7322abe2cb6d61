import { generateServiceTool } from './tools/generate-service.ts';

export const serviceTools = [generateServiceTool] as const;
