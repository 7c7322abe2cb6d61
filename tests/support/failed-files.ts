import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes the names of the failed files to the path in `FOURFOLD_TEST_FAILED_FILES`, one per line, for `npm test`.
 * Writes nothing if something failed outside the tests or the run was interrupted: running files again would hide it.
 */
export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): void {
    const path = process.env['FOURFOLD_TEST_FAILED_FILES'];
    if (path === undefined || errors.length > 0 || reason === 'interrupted') return;
    const failed = modules.filter((module) => !module.ok());
    writeFileSync(path, failed.map(({ moduleId }) => relative(process.cwd(), moduleId)).join('\n'));
  }
}
