import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** First parts of the addresses of its pages; below them the application itself finds the page. */
const sections = ['sign-in', 'instructions', 'knowledge', 'notebooks', 'truth', 'recall', 'audit', 'settings'];

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/**
 * No script or style from elsewhere, and none inline except style elements with the nonce, which the editor adds. Files of
 * the store are shown from blobs in frames without rights.
 */
const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src blob:',
    // A frame inherits the policy, and the viewer of PDF files in some browsers is an object of the frame.
    'object-src blob:',
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const noncePlace = '__NONCE__';
const nonceBytes = 16;
const compress = promisify(gzip);

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** The built application, read when it is first requested. `folder` is part of the package. */
export function addDashboardRoutes(app: FastifyInstance, folder: string): void {
  const assets = new Map<string, Promise<Asset | undefined>>();
  let page: Promise<string> | undefined;

  async function load(name: string): Promise<Asset | undefined> {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) return undefined;
    try {
      const plain = await readFile(join(folder, 'assets', name));
      return { type, plain, gzipped: await compress(plain) };
    } catch {
      return undefined;
    }
  }

  /** Names of built files have no folders, so nothing outside can be named. */
  async function findAsset(name: string): Promise<Asset | undefined> {
    if (!/^[\w-][\w.-]*$/.test(name)) return undefined;
    const known = assets.get(name);
    if (known !== undefined) return known;
    const found = await load(name);
    if (found !== undefined) assets.set(name, Promise.resolve(found));
    return found;
  }

  const readPage = async (): Promise<string> => {
    try {
      return await readFile(join(folder, 'index.html'), 'utf8');
    } catch {
      page = undefined;
      throw faults.NOT_FOUND({ what: 'the dashboard is not built' }, { fix: 'Run npm run build.' });
    }
  };

  app.get('/assets/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const asset = await findAsset(request.params.name);
    if (asset === undefined)
      throw faults.NOT_FOUND({ what: 'the dashboard has no file of this name' }, { fix: 'Reload the page.' });
    const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    // The name contains a hash of the content.
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .headers(takesGzip ? { 'content-encoding': 'gzip' } : {})
      .type(asset.type)
      .send(takesGzip ? asset.gzipped : asset.plain);
  });

  for (const path of ['/', ...sections.flatMap((section) => [`/${section}`, `/${section}/*`])]) {
    app.get(path, async (_request, reply) => {
      page ??= readPage();
      const nonce = randomBytes(nonceBytes).toString('base64');
      return reply
        .header('content-security-policy', policyWith(nonce))
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send((await page).replaceAll(noncePlace, nonce));
    });
  }
}
