import type { TestProject } from 'vitest/node';
import { openClusterDoor } from './postgres/cluster-door.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly clusterDoor: string;
  }
}

/** Once a run, in the main process. A run in which no test asks for PostgreSQL pays nothing for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openClusterDoor(process.env['FOURFOLD_TEST_DATABASE_URL']);
  project.provide('clusterDoor', door.path);
  return () => door.close();
}
