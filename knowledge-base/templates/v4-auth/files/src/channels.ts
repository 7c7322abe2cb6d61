import type {} from '@feathersjs/transport-commons';
import type { Application } from './declarations';

// Who is logged in hears of everything but users and logins.
export const channels = (app: Application) => {
  app.on('connection', (connection) => app.channel('anonymous').join(connection));

  app.on('login', (_result, { connection }) => {
    // Over REST there is no connection.
    if (!connection) return;
    app.channel('anonymous').leave(connection);
    app.channel('authenticated').join(connection);
  });

  app.on('logout', (_result, { connection }) => {
    if (!connection) return;
    app.channel('authenticated').leave(connection);
    app.channel('anonymous').join(connection);
  });

  app.publish(() => app.channel('authenticated'));
  app.service('users').publish(() => []);
  app.service('authentication').publish(() => []);
};
