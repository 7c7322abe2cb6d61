import { posix, win32 } from 'node:path';

/** Where the program runs; injected, so that every platform can be tested on one. */
export interface Platform {
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const pathsOf = (place: Platform): typeof posix => (place.platform === 'win32' ? win32 : posix);

/** XDG requires relative paths in its variables to be ignored. */
const absolute = (place: Platform, path: string | undefined): string | undefined =>
  path !== undefined && pathsOf(place).isAbsolute(path) ? path : undefined;

export function platformHome(place: Platform): string {
  const paths = pathsOf(place);
  switch (place.platform) {
    case 'win32':
      return paths.join(
        absolute(place, place.env['LOCALAPPDATA']) ?? paths.join(place.homeDir, 'AppData', 'Local'),
        'fourfold',
      );
    case 'darwin':
      return paths.join(place.homeDir, 'Library', 'Application Support', 'fourfold');
    default:
      return paths.join(
        absolute(place, place.env['XDG_DATA_HOME']) ?? paths.join(place.homeDir, '.local', 'share'),
        'fourfold',
      );
  }
}

/** Clients start the program without a shell, so `~/notes` in their settings arrives unexpanded. */
export function toAbsolute(place: Platform, path: string, base: string): string {
  const paths = pathsOf(place);
  return /^~(?:[/\\]|$)/.test(path) ? paths.resolve(place.homeDir, `.${path.slice(1)}`) : paths.resolve(base, path);
}
