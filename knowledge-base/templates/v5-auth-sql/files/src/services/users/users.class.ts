import type { Params } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import type { KnexAdapterOptions, KnexAdapterParams } from '@feathersjs/knex';
import type { Application } from '../../declarations.js';
import type { User, UserData, UserPatch, UserQuery } from './users.schema.js';

export interface UserParams extends KnexAdapterParams<UserQuery> {}

export class UserService<ServiceParams extends Params = UserParams> extends KnexService<
  User,
  UserData,
  ServiceParams,
  UserPatch
> {}

export const getOptions = (app: Application): KnexAdapterOptions => ({
  paginate: app.get('paginate'),
  // <<model>>
  name: 'users',
});
