/** Starts a server and waits to be killed: the server must not outlive this process. */
import { startMongodb } from './start-mongodb.ts';

const mongodb = await startMongodb('');
process.stdout.write(`${'url' in mongodb ? mongodb.url : ''}\n`);
setInterval(() => {}, 60_000);
