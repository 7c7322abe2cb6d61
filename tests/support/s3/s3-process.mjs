// An S3 server in a process of its own: its list tokens need a cipher that OpenSSL only has as a legacy one.
import S3rver from '@20minutes/s3rver';
import account from '@20minutes/s3rver/lib/models/account.js';

const [directory, port, bucket, accessKeyId, secretKey] = process.argv.slice(2);
account.DUMMY_ACCOUNT.createKeyPair(accessKeyId, secretKey);

const server = new S3rver({
  directory,
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  configureBuckets: [{ name: bucket }],
});

// Signatures of Amazon escape these characters of a query too.
const encode = globalThis.encodeURIComponent;
globalThis.encodeURIComponent = (text) =>
  encode(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

// For lists it signs /bucket, but clients and Amazon sign /bucket/. Requests for objects are checked.
const createContext = server.createContext.bind(server);
server.createContext = (req, res) => {
  const context = createContext(req, res);
  const [path] = req.url.split('?');
  if (path === `/${bucket}` || path === `/${bucket}/`)
    context.app = Object.create(server, { allowMismatchedSignatures: { value: true } });
  return context;
};

const address = await server.run();
process.send(address.port);
process.on('disconnect', () => process.exit());
