import { proveApplications } from './applications.ts';

await proveApplications({
  version: 'v5',
  few: [
    ['sqlite', true, true],
    ['postgresql', true, false],
    ['mongodb', true, true],
  ],
  shortSecret: 'Cannot start: validation failed: /authentication/secret must NOT have fewer than 32 characters',
});
