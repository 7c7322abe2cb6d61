import { createServer } from 'node:net';
import { type DoctorCheck, fail, ok, warn } from './doctor-check.ts';

export interface PortQuestion {
  readonly host: string;
  readonly port: number;
}

const name = 'port';

/** Listens for a moment. Answers the error code, or undefined when that went well. */
const tryPort = ({ host, port }: PortQuestion): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

export async function checkPort(question: PortQuestion): Promise<DoctorCheck> {
  const { host, port } = question;
  const place = `${host}:${port}`;
  const trouble = await tryPort(question);
  switch (trouble) {
    case undefined:
      return ok(name, port === 0 ? `any free port of ${host}` : `${place} is free`);
    case 'EADDRINUSE':
      return warn(
        name,
        `${place} is taken, by a running fourfold server or another program`,
        'If that is no server of yours, choose another port with --port.',
      );
    case 'EACCES':
      return fail(name, `${place} may not be opened by this user`, 'Choose a port above 1023 with --port.');
    default:
      return fail(
        name,
        `${place} cannot be opened (${trouble})`,
        'Set --host to an address of this machine, such as 127.0.0.1.',
      );
  }
}
