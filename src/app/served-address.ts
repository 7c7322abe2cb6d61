import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hasEnded, nameProcess } from '#kernel/jobs/process-name.ts';
import { homeNames } from './admin/home-layout.ts';

const note = z.object({ url: z.url(), process: z.string() });

function readNote(home: string): z.infer<typeof note> | undefined {
  try {
    return note.safeParse(JSON.parse(readFileSync(join(home, homeNames.server), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Notes where the server of a data folder listens: its port may come from a flag, or be the next free one. The last
 * server that started counts. Returns a function that removes the note. A folder that cannot be written does not stop the
 * server: links then name the configured port.
 */
export function noteServedAddress(home: string, url: string, log: { warn(fields: object, text: string): void }) {
  const own = nameProcess(`${process.pid}`);
  try {
    writeFileSync(join(home, homeNames.server), JSON.stringify({ url, process: own }), { mode: 0o600 });
  } catch (error) {
    log.warn({ err: error }, 'could not note the address of the server in the data folder');
  }
  return () => {
    if (readNote(home)?.process === own) rmSync(join(home, homeNames.server), { force: true });
  };
}

/** The address of the server that runs on this data folder, if one has noted it and has not ended. */
export function findServedAddress(home: string): string | undefined {
  const found = readNote(home);
  return found === undefined || hasEnded(found.process) ? undefined : found.url;
}
