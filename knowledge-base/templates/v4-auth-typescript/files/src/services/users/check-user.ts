import { BadRequest } from '@feathersjs/errors';
import type { HookContext } from '../../declarations';
import type { User } from './users.class';

const passwordMin = 8;

// Only what is known is kept. A new user needs both; a change may name one.
export const checkUser = (context: HookContext) => {
  const { email, password } = context.data ?? {};
  const isPatch = context.method === 'patch';
  const data: Partial<User> = {};

  if (email !== undefined || !isPatch) {
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email)) throw new BadRequest('email must be an e-mail address');
    data.email = email.toLowerCase();
  }
  if (password !== undefined || !isPatch) {
    if (typeof password !== 'string' || password.length < passwordMin) {
      throw new BadRequest(`password must have at least ${passwordMin} characters`);
    }
    data.password = password;
  }

  context.data = data;
};
