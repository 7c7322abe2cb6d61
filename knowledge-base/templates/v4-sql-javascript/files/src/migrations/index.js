const fs = require('node:fs');
const path = require('node:path');

// Every file of this folder but this one, by name. A migration is known by its name without the ending.
const migrationSource = {
  getMigrations: async () =>
    fs
      .readdirSync(__dirname)
      .filter((file) => file.endsWith('.js') && file !== 'index.js')
      .map((file) => path.basename(file, '.js'))
      .sort(),
  getMigrationName: (name) => name,
  getMigration: async (name) => require(`./${name}`),
};

module.exports = { migrationSource };
