import type { Application, ServiceOf } from '../../declarations';
import { Users } from './users.class';
import type { User } from './users.class';
import { usersHooks } from './users.hooks';

declare module '../../declarations' {
  interface ServiceTypes {
    users: ServiceOf<User>;
  }
}

export const register = (app: Application) => {
  app.use('/users', new Users(app));
  app.service('users').hooks(usersHooks);
};
