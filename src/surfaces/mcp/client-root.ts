import { fileURLToPath } from 'node:url';
import { isObject } from '#kernel/json/is-object.ts';
import { mcpLimits } from './mcp-deps.ts';

/** The first folder in an answer to `roots/list`. */
function folderOf(result: unknown): string | undefined {
  const roots = isObject(result) ? result['roots'] : undefined;
  if (!Array.isArray(roots)) return undefined;
  for (const root of roots as readonly unknown[]) {
    const uri = isObject(root) ? root['uri'] : undefined;
    if (typeof uri !== 'string' || uri.length > mcpLimits.rootChars) continue;
    try {
      return fileURLToPath(uri);
    } catch {
      // The protocol allows only file URIs, but not every client keeps to it.
    }
  }
  return undefined;
}

/**
 * The folder that a client works in. The client is asked when a call first needs it and after it announced a change.
 * Only one call waits for a slow client, and not for long.
 */
export function createClientRoot(list: () => Promise<unknown>, waitMs: number = mcpLimits.rootsWaitMs) {
  let asked: Promise<void> | undefined;
  let folder: string | undefined;
  let isSlow = false;

  function ask(): Promise<void> {
    const mine: Promise<void> = list().then(
      (result) => {
        if (asked === mine) folder = folderOf(result);
      },
      () => {
        if (asked === mine) folder = undefined;
      },
    );
    return mine;
  }

  async function untilAnswered(answered: Promise<void>): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      isSlow = true;
      resolve();
    }, waitMs).unref();
    await Promise.race([answered, late]);
    clearTimeout(timer);
  }

  return {
    async find(): Promise<string | undefined> {
      asked ??= ask();
      if (!isSlow) await untilAnswered(asked);
      return folder;
    },
    /** The next call asks again; until then the last answer counts. */
    changed() {
      asked = undefined;
      isSlow = false;
    },
  };
}
