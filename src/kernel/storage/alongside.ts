import type { Alongside } from '../call.ts';
import type { Work, Writer } from './port.ts';

type AlongsideWork = (db: Writer, result: unknown) => Work<void>;

/** Calls do not know storage, so the type of the work is hidden in them. */
export const toAlongside = (work: AlongsideWork): Alongside => work as unknown as Alongside;

export const workOf = (alongside: Alongside): AlongsideWork => alongside as unknown as AlongsideWork;
