import { authentication } from './authentication';

// <<authentication>>
app.configure(authentication);
