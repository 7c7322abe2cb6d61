import { BadRequest } from '@feathersjs/errors';
import type { HookContext } from '../../declarations';
import type { User } from './users.class';

const emailMax = 254;
const passwordMin = 8;
// Longer ones would be cut: that is all bcrypt looks at.
const passwordMax = 72;

const isEmail = (value: unknown) => {
  if (typeof value !== 'string' || value.length > emailMax) return false;
  return /^[^\s@]+@[^\s@]+$/.test(value);
};

const isPassword = (value: unknown) => {
  if (typeof value !== 'string') return false;
  return value.length >= passwordMin && Buffer.byteLength(value) <= passwordMax;
};

// Only what is known is kept. A new user needs an email and, coming from outside, a password; a change may name one.
export const checkUser = (context: HookContext) => {
  const { email, oauthId, password } = context.data ?? {};
  const isNew = context.method === 'create';
  const isExternal = Boolean(context.params.provider);
  const data: Partial<User> = {};

  if (email !== undefined || isNew) {
    if (!isEmail(email)) throw new BadRequest('email must be an e-mail address');
    data.email = email.toLowerCase();
  }
  if (password !== undefined || (isNew && isExternal)) {
    if (!isPassword(password)) {
      throw new BadRequest(`password must have ${passwordMin} to ${passwordMax} characters`);
    }
    data.password = password;
  }
  if (oauthId !== undefined) {
    // Only the login by a provider says who somebody is there: nobody may claim it from outside.
    if (isExternal) throw new BadRequest('oauthId cannot be set');
    data.oauthId = oauthId;
  }

  context.data = data;
};
