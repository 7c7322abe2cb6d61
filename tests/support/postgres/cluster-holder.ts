/** Starts a server and stays until it is killed: shows that the server does not outlive whoever asked for it. */
import { startCluster } from './cluster.ts';

const { url } = await startCluster(undefined);
process.stdout.write(`${url}\n`);
setInterval(() => {}, 60_000);
