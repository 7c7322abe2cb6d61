import configuration from '@feathersjs/configuration';
import express from '@feathersjs/express';
import feathers from '@feathersjs/feathers';
import socketio from '@feathersjs/socketio';
import compress from 'compression';
import cors from 'cors';
import helmet from 'helmet';
import { bodyErrors } from './body-errors';
import { channels } from './channels';
import { database } from './database';
import type { Application, ServiceTypes } from './declarations';
import { databaseErrors } from './hooks/database-errors';
import { logError } from './hooks/log-error';
import { logger } from './logger';
import { services } from './services';

export const app = express(feathers<ServiceTypes>()) as Application;

app.configure(configuration());

const origins: string[] = app.get('origins');

app.use(helmet());
app.use(cors({ origin: origins }));
app.use(compress());
app.use(express.json());
app.use(express.urlencoded({ extended: true }));

app.configure(express.rest());
app.configure(
  socketio((io) => {
    // A caller that is no browser has no origin: Socket.io 2 calls that '*'.
    io.origins((origin, allow) => allow(null, origin === '*' || origins.includes(origin)));
  }),
);

// After the hooks of a service, for every method of every service.
app.hooks({ error: { all: [databaseErrors, logError] } });

app.configure(database);
// <<authentication>>
app.configure(services);
app.configure(channels);

app.use(express.notFound());
app.use(bodyErrors);
// JSON for everybody. Errors of services are logged by the hook, the others here.
app.use(express.errorHandler({ html: false, logger }));
