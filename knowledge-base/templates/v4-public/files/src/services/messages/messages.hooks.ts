import { disallow } from '../../hooks/disallow';
import { addTime, checkMessage } from './check-message';

export const messagesHooks = {
  before: {
    create: [checkMessage, addTime],
    // It would take away the time.
    update: [disallow],
    patch: [checkMessage],
  },
};
