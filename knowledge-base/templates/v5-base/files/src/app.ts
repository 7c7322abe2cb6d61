import configuration from '@feathersjs/configuration';
import { BadRequest } from '@feathersjs/errors';
import { feathers } from '@feathersjs/feathers';
import { bodyParser, cors, errorHandler, koa, rest } from '@feathersjs/koa';
import socketio from '@feathersjs/socketio';
import { channels } from './channels.js';
import { configurationValidator } from './configuration.js';
import type { Application } from './declarations.js';
import { closeSockets } from './hooks/close-sockets.js';
import { logError } from './hooks/log-error.js';
import { services } from './services/index.js';

export const app: Application = koa(feathers());

app.configure(configuration(configurationValidator));

const origins = app.get('origins');
app.use(
  cors({
    origin: ({ request }) => (origins.includes(request.get('Origin')) ? request.get('Origin') : ''),
  }),
);
app.use(errorHandler());
// <<middleware>>
app.use(
  bodyParser({
    onError: (error) => {
      throw new BadRequest(error.message);
    },
  }),
);

app.configure(rest());
app.configure(socketio({ cors: { origin: origins } }));

// Around every method of every service; the first is the outermost.
app.hooks([logError]);
app.hooks({ teardown: [closeSockets] });
// <<database>>
// <<authentication>>

await services(app);

app.configure(channels);
