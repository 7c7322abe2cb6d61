import type { RealTimeConnection } from '@feathersjs/feathers';
import type { Application } from './declarations.js';

// Who hears of what. Nobody logs in here, so every connection hears every event.
export const channels = (app: Application) => {
  app.on('connection', (connection: RealTimeConnection) => {
    app.channel('everybody').join(connection);
  });

  app.publish(() => app.channel('everybody'));
};
