import { addTime, checkMessage } from './check-message';

export const messagesHooks = {
  before: {
    create: [checkMessage, addTime],
    update: [checkMessage],
    patch: [checkMessage],
  },
};
