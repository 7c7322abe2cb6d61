import { DatabaseService } from '../../database';
import type { Application } from '../../declarations';

export interface Message {
  text: string;
  createdAt: number;
  // <<fields>>
}

export class Messages extends DatabaseService<Message> {
  constructor(app: Application) {
    super(app, 'messages');
  }
}
