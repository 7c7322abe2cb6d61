import { limits } from '../limits.ts';
import { boundDetails, boundMessage, cutText } from './bound-fault.ts';

/** One kind of expected failure. Every kind is registered once; surfaces format it. */
export interface FaultKind {
  readonly code: string;
  /** JSON-RPC code for protocol revisions up to 2025-11-25; `toRpcCode` shifts it for newer ones. */
  readonly rpc: number;
  readonly http: number;
  readonly retryable: boolean;
  /** What the reader of the error can do about it; a single fault may have a more exact one. */
  readonly fix: string;
}

/** `fix` replaces the fix of the kind: it names values, tools and calls that help in this case. */
export type FaultDetails = Readonly<Record<string, unknown>> & { readonly fix?: string };

/**
 * An expected failure, in our own words. Anything else that is thrown is a bug, answered as INTERNAL with an id. Message
 * and details may quote the input, so they are cut here: no surface can answer with more than it accepts.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: FaultKind;
  /** Without `fix`. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly fix: string;

  constructor(kind: FaultKind, message: string, { fix, ...details }: FaultDetails = {}, options?: ErrorOptions) {
    super(boundMessage(message), options);
    this.kind = kind;
    this.details = boundDetails(details);
    this.fix = cutText(fix ?? kind.fix, limits.faultFixChars);
  }

  get code(): string {
    return this.kind.code;
  }
}

/** The same fault with a more exact fix. */
export const withFix = (fault: Fault, fix: string): Fault =>
  new Fault(fault.kind, fault.message, { ...fault.details, fix }, { cause: fault.cause });

interface FaultDeclaration<P> extends Omit<FaultKind, 'code'> {
  readonly say: (params: P) => string;
}

type Rest = [details?: FaultDetails, options?: ErrorOptions];

export interface FaultMaker<P> {
  (...args: undefined extends P ? [params?: P, ...rest: Rest] : [params: P, ...rest: Rest]): Fault;
  readonly kind: FaultKind;
}

/** A `say` without parameters is inferred as taking `never`; its maker is called without any. */
type Params<P> = [P] extends [never] ? undefined : P;
type Makers<T> = { readonly [K in keyof T]: T[K] extends FaultDeclaration<infer P> ? FaultMaker<Params<P>> : never };

/** Keeps the parameter type of one declaration while `defineFaults` infers the whole table. */
export const fault = <P = void>(declaration: FaultDeclaration<P>): FaultDeclaration<P> => declaration;

/** Turns a table of declarations into a table of makers: `throw faults.NOT_FOUND({ what: 'pad' })`. */
export function defineFaults<const T extends Record<string, FaultDeclaration<never>>>(table: T): Makers<T> {
  const makers: Record<string, unknown> = {};
  for (const [code, { say, ...rest }] of Object.entries(table)) {
    const kind: FaultKind = Object.freeze({ code, ...rest });
    const make = (params: never, details?: FaultDetails, options?: ErrorOptions) =>
      new Fault(kind, say(params), details, options);
    makers[code] = Object.assign(make, { kind });
  }
  return makers as Makers<T>;
}

export const faultKinds = (makers: Readonly<Record<string, FaultMaker<never>>>): readonly FaultKind[] =>
  Object.values(makers).map((make) => make.kind);
