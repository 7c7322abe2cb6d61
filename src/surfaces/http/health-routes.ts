import type { FastifyInstance } from 'fastify';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { HttpDeps, Readiness } from './http-deps.ts';
import type { HttpLimits } from './http-limits.ts';

export type CheckReadiness = () => Promise<Readiness>;

/**
 * Anyone may request it, so it is cheap: one store query at a time, its result shared briefly, with a short timeout.
 */
export function createReadiness(
  { health, log, clock }: { readonly health: HttpDeps['health']; readonly log: Log; readonly clock: Clock },
  { readyMs, readyTrustMs }: Pick<HttpLimits, 'readyMs' | 'readyTrustMs'>,
): CheckReadiness {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;

  async function look(): Promise<Readiness> {
    const late = Promise.withResolvers<Readiness>();
    const timer = setTimeout(() => late.resolve({ ok: false, checks: { store: 'no answer in time' } }), readyMs);
    try {
      return await Promise.race([health.ready(), late.promise]);
    } catch (error) {
      log.warn({ error }, 'the readiness check failed');
      return { ok: false, checks: { store: 'the check failed; the log says why' } };
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    const now = clock.now();
    if (last === undefined || now - last.at >= readyTrustMs) last = { at: now, answer: look() };
    return last.answer;
  };
}

export function addHealthRoutes(app: FastifyInstance, checkReadiness: CheckReadiness, isClosing: () => boolean): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const { ok, checks } = await checkReadiness();
    const isReady = ok && !isClosing();
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready: isReady, checks });
  });
}
