import type { AuthenticationResult } from '@feathersjs/authentication';
import type { Params } from '@feathersjs/feathers';
import type { Application } from './declarations.js';
import { userChannel } from './services/users/users.channel.js';
import type { User } from './services/users/users.schema.js';

// Who hears of what: nobody before the login, then every event but those of other users. A connection that ends leaves by itself.
export const channels = (app: Application) => {
  app.on('login', (result: AuthenticationResult, { connection }: Params) => {
    if (!connection) return;
    app.channel('authenticated').join(connection);
    app.channel(userChannel(result.user as User)).join(connection);
  });

  app.on('logout', (_result: AuthenticationResult, { connection }: Params) => {
    if (!connection) return;
    for (const name of app.channels) app.channel(name).leave(connection);
  });

  app.publish(() => app.channel('authenticated'));
};
