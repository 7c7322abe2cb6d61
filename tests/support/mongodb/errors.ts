import { readElements, readValue, writeDocument } from './bson.ts';

/** An error with MongoDB's code and name. */
export class CommandFault extends Error {
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

type Code = readonly [number, string];

/** The PostgreSQL and extension states that tests meet. Any other state is an internal error with its message. */
const codesByState: Readonly<Record<string, Code>> = {
  '23505': [11_000, 'DuplicateKey'],
  '23P01': [11_000, 'DuplicateKey'],
  '57014': [50, 'MaxTimeMSExpired'],
  M0001: [2, 'BadValue'],
  M0003: [9, 'FailedToParse'],
  M0004: [14, 'TypeMismatch'],
  M0006: [20, 'IllegalOperation'],
  M0008: [26, 'NamespaceNotFound'],
  M0009: [27, 'IndexNotFound'],
  M000D: [40, 'ConflictingUpdateOperators'],
  M000E: [43, 'CursorNotFound'],
  M000F: [48, 'NamespaceExists'],
  M000G: [52, 'DollarPrefixedFieldName'],
  M000M: [66, 'ImmutableField'],
  M000N: [67, 'CannotCreateIndex'],
  M000P: [72, 'InvalidOptions'],
  M000R: [85, 'IndexOptionsConflict'],
  M000S: [86, 'IndexKeySpecsConflict'],
  M001C: [11_000, 'DuplicateKey'],
  M007U: [40_324, 'UnrecognizedCommand'],
};

const toCode = (state: string): Code => codesByState[state] ?? [1, 'InternalError'];

function toFault(error: unknown): CommandFault {
  if (error instanceof CommandFault) return error;
  const { code: state = '', message } = error as { readonly code?: string; readonly message: string };
  return new CommandFault(...toCode(state), message);
}

export function writeFault(error: unknown): Buffer {
  const { code, codeName, message } = toFault(error);
  return writeDocument({ ok: 0, errmsg: message, code, codeName });
}

/** PostgreSQL packs the five characters of a state into one number, six bits each. */
const stateOf = (packed: number): string =>
  Array.from({ length: 5 }, (_, place) => String.fromCharCode(((packed >> (6 * place)) & 0x3f) + 0x30)).join('');

/** The extension reports a write error with PostgreSQL's number. MongoDB's code replaces it in the same bytes. */
export function nameWriteErrors(result: Buffer): Buffer {
  const errors = readElements(result).find(({ name }) => name === 'writeErrors');
  for (const { value } of errors === undefined ? [] : readElements(errors.value)) {
    const code = readElements(value).find(({ name }) => name === 'code');
    if (code !== undefined) code.value.writeInt32LE(toCode(stateOf(Number(readValue(code))))[0]);
  }
  return result;
}
