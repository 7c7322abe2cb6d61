/** Starts a server and stays until it is killed: shows that the server does not outlive whoever asked for it. */
import { startMongodb } from './start-mongodb.ts';

const mongodb = await startMongodb('');
process.stdout.write(`${'url' in mongodb ? mongodb.url : ''}\n`);
setInterval(() => {}, 60_000);
