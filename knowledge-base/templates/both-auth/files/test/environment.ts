import { randomBytes } from 'node:crypto';

// <<environment>>
process.env.FEATHERS_SECRET = randomBytes(32).toString('base64url');
