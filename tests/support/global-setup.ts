import type { TestProject } from 'vitest/node';
import { serveClusterAddress } from './postgres/cluster-address.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly clusterAddressPath: string;
  }
}

/** Runs once, in the main process. A run without PostgreSQL tests does not start a server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveClusterAddress(process.env['FOURFOLD_TEST_DATABASE_URL']);
  project.provide('clusterAddressPath', server.path);
  return () => server.close();
}
