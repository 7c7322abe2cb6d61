import { passwordHash } from '@feathersjs/authentication-local';
import { BadRequest } from '@feathersjs/errors';
import { resolve } from '@feathersjs/schema';
import { getValidator, querySyntax, Type } from '@feathersjs/typebox';
import type { Static } from '@feathersjs/typebox';
import type { HookContext } from '../../declarations.js';
import { dataValidator, queryValidator } from '../../validators.js';

// Only the login by a provider says who somebody is there: nobody may claim it from outside.
const fromInside = async (value: string | undefined, _data: unknown, { params }: HookContext) => {
  if (value !== undefined && params.provider) throw new BadRequest('oauthId cannot be set');
  return value;
};

const email = Type.String({ format: 'email', maxLength: 254 });
// Longer ones would be cut: that is all bcrypt looks at.
const password = Type.String({ minLength: 8, maxLength: 72 });

// Who signs up from outside has one; who comes by a provider has none.
const hash = passwordHash({ strategy: 'local' });
const hashed = async (value: string | undefined, data: unknown, context: HookContext) => {
  if (value === undefined && context.params.provider && context.method === 'create') {
    throw new BadRequest('password is missing');
  }
  return hash(value, data, context);
};

const lowerCase = async (value: string | undefined) => value?.toLowerCase();

// A user as it is stored
export const userSchema = Type.Object(
  {
    // <<id>>
    email,
    password: Type.Optional(password),
    oauthId: Type.Optional(Type.String()),
  },
  { $id: 'User', additionalProperties: false },
);
export type User = Static<typeof userSchema>;
export const userResolver = resolve<User, HookContext>({});

// What leaves the server: never the password
export const userExternalResolver = resolve<User, HookContext>({
  password: async () => undefined,
  oauthId: async () => undefined,
});

// What a new user is made of
export const userDataSchema = Type.Pick(userSchema, ['email', 'password', 'oauthId'], { $id: 'UserData' });
export type UserData = Static<typeof userDataSchema>;
export const userDataValidator = getValidator(userDataSchema, dataValidator);
export const userDataResolver = resolve<User, HookContext>({
  email: lowerCase,
  password: hashed,
  oauthId: fromInside,
});

// What can be changed
export const userPatchSchema = Type.Partial(userDataSchema, { $id: 'UserPatch' });
export type UserPatch = Static<typeof userPatchSchema>;
export const userPatchValidator = getValidator(userPatchSchema, dataValidator);
export const userPatchResolver = resolve<User, HookContext>({
  email: lowerCase,
  password: hashed,
  oauthId: fromInside,
});

// What can be asked for
export const userQuerySchema = Type.Intersect(
  [querySyntax(Type.Omit(userSchema, ['password'])), Type.Object({}, { additionalProperties: false })],
  { additionalProperties: false },
);
export type UserQuery = Static<typeof userQuerySchema>;
export const userQueryValidator = getValidator(userQuerySchema, queryValidator);
export const userQueryResolver = resolve<UserQuery, HookContext>({
  // Who is logged in sees and changes nobody but themselves.
  // <<own-id>>
  email: async (value) => (typeof value === 'string' ? value.toLowerCase() : value),
});
