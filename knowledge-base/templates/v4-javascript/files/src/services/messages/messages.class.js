const { DatabaseService } = require('../../database');

class Messages extends DatabaseService {
  constructor(app) {
    super(app, 'messages');
  }
}

module.exports = { Messages };
