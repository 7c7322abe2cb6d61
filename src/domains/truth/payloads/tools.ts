import { submitPayload } from './tools/submit-payload.ts';

export const payloadTools = [submitPayload] as const;
