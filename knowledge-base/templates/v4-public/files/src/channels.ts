import type {} from '@feathersjs/transport-commons';
import type { Application } from './declarations';

// Everybody who is connected hears of everything.
export const channels = (app: Application) => {
  app.on('connection', (connection) => app.channel('everybody').join(connection));
  app.publish(() => app.channel('everybody'));
};
