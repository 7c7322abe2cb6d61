import { parseAuthentication } from '@feathersjs/koa';
import { authentication } from './authentication.js';

// <<middleware>>
app.use(parseAuthentication());
// <<authentication>>
app.configure(authentication);
