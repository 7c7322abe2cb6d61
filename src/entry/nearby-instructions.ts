import { checkInstructions } from '#app/admin/doctor/check-environment.ts';
import type { LoadedSettings } from '#config/load-settings.ts';

/**
 * A user with `./instructions` in the working directory probably means that folder: the start reports which one is
 * served.
 */
export async function warnAboutNearbyInstructions({ settings, provenance }: LoadedSettings): Promise<void> {
  const isSet = provenance.instructionsDir.origin !== 'default';
  const check = await checkInstructions({ dir: settings.instructionsDir, isSet, cwd: process.cwd() });
  if (check.status === 'warn') process.stderr.write(`fourfold: ${check.detail}. ${check.fix ?? ''}\n`);
}
