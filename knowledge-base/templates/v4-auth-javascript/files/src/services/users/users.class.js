const { DatabaseService } = require('../../database');

class Users extends DatabaseService {
  constructor(app) {
    super(app, 'users');
  }
}

module.exports = { Users };
