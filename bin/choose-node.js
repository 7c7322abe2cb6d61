// Must run on every Node from 14 on.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const oldestMajor = 22;
const oldestMinor = 12;

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Folders where npm may have installed the packages that carry a Node: next to us, in the workspace, or where we are installed. */
function packageFolders(root) {
  const folders = [join(root, 'node_modules'), join(root, 'runtime', 'node_modules')];
  return basename(dirname(root)) === 'node_modules' ? [...folders, dirname(root)] : folders;
}

function versionOf(folder) {
  try {
    return String(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version);
  } catch {
    return '0.0.0';
  }
}

/** The running Node if it is new enough, else one from a package, else undefined. */
export function chooseNode({ root, version, execPath, platform, arch }) {
  if (isNewEnough(version)) return execPath;
  const [system, file] = platform === 'win32' ? ['win', 'node.exe'] : [platform, 'node'];
  for (const folder of packageFolders(root)) {
    const carrier = join(folder, `node-${system}-${arch}`);
    const binary = join(carrier, 'bin', file);
    if (existsSync(binary) && isNewEnough(versionOf(carrier))) return binary;
  }
  return undefined;
}

export const noNodeLine = (version) =>
  `fourfold needs Node ${oldestMajor}.${oldestMinor} or newer and this is ${version}: install one from nodejs.org, or run npm install in a checkout of fourfold, which brings its own for Linux and Windows.\n`;
