/** Starts a server and waits to be killed, to show that the server ends with its owner. */
import { startCluster } from './cluster.ts';

const { url } = await startCluster(undefined);
process.stdout.write(`${url}\n`);
setInterval(() => {}, 60_000);
