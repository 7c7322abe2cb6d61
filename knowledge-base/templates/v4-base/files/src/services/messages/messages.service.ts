import type { Application, ServiceOf } from '../../declarations';
import { Messages } from './messages.class';
import type { Message } from './messages.class';
import { messagesHooks } from './messages.hooks';

declare module '../../declarations' {
  interface ServiceTypes {
    messages: ServiceOf<Message>;
  }
}

export const register = (app: Application) => {
  app.use('/messages', new Messages(app));
  app.service('messages').hooks(messagesHooks);
};
