import { createLogger, format, transports } from 'winston';

// LOG_LEVEL chooses what is shown; tests are silent unless it is set.
export const logger = createLogger({
  level: process.env.LOG_LEVEL || 'info',
  silent: process.env.NODE_ENV === 'test' && !process.env.LOG_LEVEL,
  format: format.combine(format.timestamp(), format.splat(), format.simple()),
  transports: [new transports.Console()],
});
