import { once } from 'node:events';
import { app } from './app.js';
import { logger } from './logger.js';

const port = app.get('port');
const host = app.get('host');

process.on('unhandledRejection', (reason) => logger.error('Unhandled rejection', { reason }));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    logger.info(`${signal}: closing`);
    await app.teardown();
    process.exit(0);
  });
}

try {
  const server = await app.listen(port, host);
  if (!server.listening) await once(server, 'listening');
  logger.info(`Feathers app listening on http://${host}:${port}`);
} catch (error) {
  // A setting that is wrong, a port that is taken, a database that is not there.
  const { message, errors = [] } = error as { message: string; errors?: { instancePath: string; message: string }[] };
  const details = errors.map((one) => `${one.instancePath || 'config'} ${one.message}`);
  logger.error(['Cannot start', message, ...details].join(': '));
  process.exitCode = 1;
  await app.teardown().catch(() => undefined);
}
