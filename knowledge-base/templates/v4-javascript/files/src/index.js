const { app } = require('./app');
const { closeDatabase, prepareDatabase } = require('./database');
const { logger } = require('./logger');

const start = async () => {
  await prepareDatabase(app);

  const port = app.get('port');
  const server = app.listen(port);

  server.on('listening', () => logger.info(`Feathers app listening on http://${app.get('host')}:${port}`));
  server.on('error', (error) => {
    logger.error(error.message);
    process.exit(1);
  });

  const stop = (signal) => {
    logger.info(`${signal}: closing`);
    // Socket.io closes its connections, then the server.
    app.io.close(async () => {
      await closeDatabase(app);
      process.exit(0);
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
};

process.on('unhandledRejection', (reason) => logger.error(`Unhandled rejection: ${reason}`));

start().catch((error) => {
  logger.error(error.stack);
  process.exit(1);
});
