// <<requires>>
const { authentication } = require('./authentication');
// <<authentication>>
app.configure(authentication);
