import { DatabaseService } from '../../database';
import type { Application } from '../../declarations';

export interface User {
  email: string;
  // Nobody's who came by a provider.
  password: string | null;
  // `github:1234` of who did.
  oauthId: string | null;
}

export class Users extends DatabaseService<User> {
  constructor(app: Application) {
    super(app, 'users');
  }
}
