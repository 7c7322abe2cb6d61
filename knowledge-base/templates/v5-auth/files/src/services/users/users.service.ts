import type { Application } from '../../declarations.js';
import { userChannel } from './users.channel.js';
import { getOptions, UserService } from './users.class.js';
import { userHooks } from './users.hooks.js';
import type { User } from './users.schema.js';
import { userMethods, userPath } from './users.shared.js';

declare module '../../declarations.js' {
  interface ServiceTypes {
    [userPath]: UserService;
  }
}

export const users = (app: Application) => {
  app.use(userPath, new UserService(getOptions(app)), {
    methods: [...userMethods],
    events: [],
  });
  app.service(userPath).hooks(userHooks);
  // What happens to a user is told to that user alone.
  app.service(userPath).publish((user) => app.channel(userChannel(user as User)));
};

export const register = users;
