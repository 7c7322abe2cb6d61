import { feathers } from '@feathersjs/feathers';
import type { Application, TransportConnection } from '@feathersjs/feathers';

// What client.service() answers. Each service adds itself in its *.shared.ts.
export interface ServiceTypes {}

export type ClientApplication = Application<ServiceTypes, Record<string, unknown>>;

// A client for this application, over REST or Socket.io:
//   createClient(rest('http://localhost:3030').fetch(fetch))
//   createClient(socketio(io('http://localhost:3030')))
export const createClient = (connection: TransportConnection<ServiceTypes>): ClientApplication => {
  const client: ClientApplication = feathers();

  client.configure(connection);
  // <<configure>>

  return client;
};
