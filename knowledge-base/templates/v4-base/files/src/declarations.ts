import type { Application as ExpressApplication } from '@feathersjs/express';
import type { HookContext as FeathersHookContext, Service } from '@feathersjs/feathers';
import type { Server } from 'socket.io';

// What app.service() answers: a service adds itself in its *.service.ts.
export interface ServiceTypes {}

// Socket.io sets io when the application listens.
export type Application = ExpressApplication<ServiceTypes> & { io: Server };

export type HookContext<T = any> = FeathersHookContext<T>;

export type ServiceOf<T> = Service<T>;
