import fs from 'node:fs';
import path from 'node:path';
import type { Application } from '../declarations';

interface ServiceModule {
  register(app: Application): void;
}

// A service is a folder `<name>` with a file `<name>.service` in it, which exports `register`. Adding the folder is enough.
export const services = (app: Application) => {
  const entries = fs.readdirSync(__dirname, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

  for (const name of folders.toSorted()) {
    const file = path.join(__dirname, name, `${name}.service`);
    if (!fs.existsSync(`${file}.ts`) && !fs.existsSync(`${file}.js`)) continue;

    const { register } = require(file) as ServiceModule;
    register(app);
  }
};
