import { DatabaseService } from '../../database';
import type { Application } from '../../declarations';

export interface User {
  email: string;
  password: string;
}

export class Users extends DatabaseService<User> {
  constructor(app: Application) {
    super(app, 'users');
  }
}
