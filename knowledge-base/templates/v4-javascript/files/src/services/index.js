const fs = require('node:fs');
const path = require('node:path');

// A service is a folder `<name>` with a file `<name>.service` in it, which exports `register`. Adding the folder is enough.
const services = (app) => {
  const entries = fs.readdirSync(__dirname, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

  for (const name of folders.sort()) {
    if (!fs.existsSync(path.join(__dirname, name, `${name}.service.js`))) continue;

    require(`./${name}/${name}.service`).register(app);
  }
};

module.exports = { services };
