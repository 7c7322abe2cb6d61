import { type DoctorCheck, fail, ok } from './doctor-check.ts';

const oldest = [22, 12] as const;

export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewEnough = major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  if (isNewEnough) return ok('node', `Node.js ${version}`);
  return fail(
    'node',
    `Node.js ${version} is older than ${oldest.join('.')}`,
    'Install a newer Node.js, or start the program by its own launcher, which brings one.',
  );
}
