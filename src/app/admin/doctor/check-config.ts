import { type DoctorCheck, ok, warn } from './doctor-check.ts';

export interface ConfigQuestion {
  readonly warnings: readonly string[];
  /** Variables that are set and do nothing here. */
  readonly noEffect: readonly string[];
}

const name = 'configuration';

export function checkConfig({ warnings, noEffect }: ConfigQuestion): readonly DoctorCheck[] {
  const checks = warnings.map((warning) =>
    warn(name, warning, 'Correct it; fourfold config shows every setting and where it came from.'),
  );
  if (noEffect.length > 0)
    checks.push(
      warn(
        name,
        `set, and without effect in this program: ${noEffect.join(', ')}`,
        'They may be removed; nothing needs them.',
      ),
    );
  return checks.length > 0 ? checks : [ok(name, 'every setting is understood')];
}
