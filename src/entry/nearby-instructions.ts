import { checkInstructions } from '#app/admin/doctor/check-environment.ts';
import type { LoadedSettings } from '#config/load-settings.ts';

/** Somebody with `./instructions` in the working directory most likely means those: the start says which are served. */
export async function warnAboutNearbyInstructions({ settings, provenance }: LoadedSettings): Promise<void> {
  const isSet = provenance.instructionsDir.origin !== 'default';
  const check = await checkInstructions({ dir: settings.instructionsDir, isSet, cwd: process.cwd() });
  if (check.status === 'warn') process.stderr.write(`fourfold: ${check.detail}. ${check.fix ?? ''}\n`);
}
