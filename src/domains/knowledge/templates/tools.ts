import { getFeathersTemplate } from './tools/get-feathers-template.ts';

export const templateTools = [getFeathersTemplate] as const;
