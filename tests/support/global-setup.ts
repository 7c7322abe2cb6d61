import type { TestProject } from 'vitest/node';
import { openClusterDoor } from './postgres/cluster-door.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly clusterDoor: string;
  }
}

/** Runs once in the main process. The PostgreSQL server starts only when a test asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const door = await openClusterDoor(process.env['FOURFOLD_TEST_DATABASE_URL']);
  project.provide('clusterDoor', door.path);
  return () => door.close();
}
