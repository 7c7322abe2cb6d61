import { BadRequest } from '@feathersjs/errors';
import type { HookContext } from '../../declarations';

const textMax = 400;

// Only what is known is kept: a caller can write no other field.
export const checkMessage = (context: HookContext) => {
  const { text } = context.data ?? {};

  if (typeof text !== 'string' || text.trim() === '' || text.length > textMax) {
    const why = `must be 1 to ${textMax} characters`;
    throw new BadRequest(`text ${why}`, { errors: { text: why } });
  }

  context.data = { text };
};

export const addTime = (context: HookContext) => {
  context.data = { ...context.data, createdAt: Date.now() };
};
