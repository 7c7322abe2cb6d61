import type { Params } from '@feathersjs/feathers';
import type { UserService } from './users.class.js';
import type { User, UserData, UserPatch, UserQuery } from './users.schema.js';

export type { User, UserData, UserPatch, UserQuery };

export type UserClientService = Pick<UserService<Params<UserQuery>>, (typeof userMethods)[number]>;

export const userPath = 'users';

export const userMethods = ['find', 'get', 'create', 'patch', 'remove'] as const;

declare module '../../client.js' {
  interface ServiceTypes {
    [userPath]: UserClientService;
  }
}
