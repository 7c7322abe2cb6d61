import type {
  ApplicationHookContext as FeathersApplicationHookContext,
  HookContext as FeathersHookContext,
  NextFunction,
} from '@feathersjs/feathers';
import type { Application as KoaApplication } from '@feathersjs/koa';
import type { ApplicationConfiguration } from './configuration.js';

// What app.get() answers. The databases add their clients.
export interface Configuration extends ApplicationConfiguration {}

// What app.service() answers. Each service adds itself in its *.service.ts.
export interface ServiceTypes {}

export type Application = KoaApplication<ServiceTypes, Configuration>;

export type HookContext<S = unknown> = FeathersHookContext<Application, S>;

// Of the hooks around app.setup and app.teardown.
export type ApplicationHookContext = FeathersApplicationHookContext<Application>;

export type { NextFunction };
