import type { AddressInfo } from 'node:net';
import { app } from '../src/app.js';

// Where the application of the tests listens.
export const serverUrl = () => `http://localhost:${(app.server.address() as AddressInfo).port}`;
