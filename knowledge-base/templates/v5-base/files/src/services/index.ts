import { readdir } from 'node:fs/promises';
import type { Application } from '../declarations.js';

interface ServiceModule {
  register(app: Application): void;
}

// A service is a folder `<name>` with a file `<name>.service` in it, which exports `register`. Adding the folder is enough.
export const services = async (app: Application) => {
  const here = new URL('.', import.meta.url);
  const entries = await readdir(here, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

  for (const name of folders.toSorted()) {
    const files = await readdir(new URL(`${name}/`, here));
    if (!files.some((file) => file === `${name}.service.ts` || file === `${name}.service.js`)) continue;

    const { register }: ServiceModule = await import(`./${name}/${name}.service.js`);
    register(app);
  }
};
