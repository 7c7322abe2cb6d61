import type { User } from './users.schema.js';

export const userId = (user: User) => user.id;
