import { randomBytes } from 'node:crypto';

// <<environment>>
process.env.AUTHENTICATION_SECRET = randomBytes(32).toString('base64url');
