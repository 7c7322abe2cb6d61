import { app } from './app';
import { closeDatabase, prepareDatabase } from './database';
import { logger } from './logger';

const start = async () => {
  await prepareDatabase(app);

  const port: number = app.get('port');
  const host: string = app.get('host');
  const server = app.listen(port, host);

  server.on('listening', () => logger.info(`Feathers app listening on http://${host}:${port}`));
  server.on('error', (error: Error) => {
    logger.error(error.message);
    process.exit(1);
  });

  const stop = (signal: string) => {
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

start().catch((error: Error) => {
  logger.error(error.stack ?? error.message);
  process.exit(1);
});
