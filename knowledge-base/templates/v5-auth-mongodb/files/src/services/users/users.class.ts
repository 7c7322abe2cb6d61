import type { Params } from '@feathersjs/feathers';
import { MongoDBService } from '@feathersjs/mongodb';
import type { MongoDBAdapterOptions, MongoDBAdapterParams } from '@feathersjs/mongodb';
import type { Application } from '../../declarations.js';
import type { User, UserData, UserPatch, UserQuery } from './users.schema.js';

export interface UserParams extends MongoDBAdapterParams<UserQuery> {}

export class UserService<ServiceParams extends Params = UserParams> extends MongoDBService<
  User,
  UserData,
  ServiceParams,
  UserPatch
> {
  // Feathers calls this when the application starts.
  async setup() {
    const users = await this.options.Model;
    await users.createIndex({ email: 1 }, { unique: true });
    await users.createIndex({ oauthId: 1 }, { unique: true, sparse: true });
  }
}

export const getOptions = (app: Application): MongoDBAdapterOptions => ({
  paginate: app.get('paginate'),
  Model: app.get('mongodbClient').collection('users'),
});
