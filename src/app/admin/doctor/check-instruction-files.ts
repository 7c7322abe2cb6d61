import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { checkFiles } from '#domains/instructions/catalog/files/check-files.ts';
import { ifMissing } from '../file-faults.ts';
import { instructionsName } from './check-environment.ts';
import { type DoctorCheck, ok, warn } from './doctor-check.ts';

export interface InstructionFilesOptions {
  readonly folder: string;
  /** Has one folder for each other tenant. */
  readonly tenantsFolder: string;
  readonly canonicalOff: boolean;
}

const namedFilesCount = 5;

/** A file that cannot be served hides no other entry, so nothing else shows that a rule is missing. */
export async function checkInstructionFiles(options: InstructionFilesOptions): Promise<readonly DoctorCheck[]> {
  const { folder, tenantsFolder, canonicalOff } = options;
  const others = await readdir(tenantsFolder, { withFileTypes: true }).catch(ifMissing([]));
  const folders = [folder, ...others.filter((one) => one.isDirectory()).map(({ name }) => join(tenantsFolder, name))];
  const checks: DoctorCheck[] = [];
  for (const one of folders) {
    const { problems, mapped } = await checkFiles(one, canonicalOff);
    if (mapped.length > 0) {
      const detail = `${mapped.length} files in ${one} have values of another catalog, which are translated`;
      checks.push(ok(instructionsName, `${detail}; fourfold instructions dir lists them`));
    }
    if (problems.length === 0) continue;
    const named = problems.slice(0, namedFilesCount).map(({ file, problem }) => `${file}: ${problem}`);
    const more = problems.length > named.length ? [`and ${problems.length - named.length} more`] : [];
    checks.push(
      warn(
        instructionsName,
        `not served from ${one}: ${[...named, ...more].join('; ')}`,
        'Correct these files or move them away; fourfold instructions dir lists all of them.',
      ),
    );
  }
  return checks;
}
