import { userId } from './users.id.js';
import type { User } from './users.schema.js';

export const userChannel = (user: User) => `users/${userId(user)}`;
