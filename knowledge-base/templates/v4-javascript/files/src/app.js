const configuration = require('@feathersjs/configuration');
const express = require('@feathersjs/express');
const feathers = require('@feathersjs/feathers');
const socketio = require('@feathersjs/socketio');
const compress = require('compression');
const cors = require('cors');
const helmet = require('helmet');
const { bodyErrors } = require('./body-errors');
const { channels } = require('./channels');
const { database } = require('./database');
const { databaseErrors } = require('./hooks/database-errors');
const { logError } = require('./hooks/log-error');
const { logger } = require('./logger');
const { services } = require('./services');
// <<requires>>

const app = express(feathers());

app.configure(configuration());

const origins = app.get('origins');

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

module.exports = { app };
