import type { Readable } from 'node:stream';
import type { Caller } from '#kernel/call.ts';
import { cliFaults } from '#kernel/fault/cli-faults.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import type { Registry } from '#kernel/tool/registry.ts';
import type { Admin } from './admin.ts';
import type { Command, CommandAnswer } from './command.ts';
import { type CommandLine, createCommands } from './commands.ts';
import { type Arguments, checkRequired, type FlagNames, parseArguments } from './parse-arguments.ts';
import type { Printer } from './printer.ts';
import { readInput } from './read-input.ts';
import { renderValue, toSafeJson, toSafeLine, toSafeText } from './render-answer.ts';
import { renderCommandHelp, renderGroupHelp, renderUsage } from './render-usage.ts';

const clearLine = '\r\u001B[K';
const lineColumns = 79;

/** A progress line on stderr that is overwritten; nothing if stderr is not a terminal. */
function createProgressLine(printer: Printer) {
  let isShown = false;
  return {
    show(done: number, total?: number, message?: string) {
      if (!printer.isTerminal.stderr) return;
      const share = total === undefined || total === 0 ? String(done) : `${Math.floor((100 * done) / total)} %`;
      printer.err(
        `${clearLine}${toSafeLine(`${share} ${message ?? ''}`)
          .trimEnd()
          .slice(0, lineColumns)}`,
      );
      isShown = true;
    },
    /** Clears the line, so that the next output starts at the left. */
    clear() {
      if (isShown) printer.err(clearLine);
      isShown = false;
    },
  };
}

const exitCodes = { ok: 0, fault: 1, usage: 2 } as const;

interface Place {
  readonly instancePath: string;
  readonly message: string;
}

/** All invalid arguments but the first, which the message names. */
function otherPlaces(fault: Fault): readonly string[] {
  const errors = fault.details['errors'];
  if (!Array.isArray(errors)) return [];
  return (errors as readonly Place[])
    .slice(1)
    .map(({ instancePath, message }) => `  ${instancePath || 'arguments'} ${message}`);
}

/** Prints to stderr, because stdout contains only answers. Returns the exit code. */
function printFault(printer: Printer, fault: Fault, asJson = false): number {
  const { code, message, details, fix } = fault;
  const { retryable } = fault.kind;
  if (asJson) printer.err(`${toSafeJson({ error: { code, message, fix, retryable, details } }, 0)}\n`);
  else printer.err(toSafeText([`${code}: ${message}`, ...otherPlaces(fault), `Fix: ${fix}`, ''].join('\n')));
  return code === 'USAGE_ERROR' ? exitCodes.usage : exitCodes.fault;
}

export interface CliDeps extends FlagNames {
  readonly registry: Pick<Registry, 'cards' | 'load'>;
  /** May open the store at the first call; help needs no store. */
  readonly invoke: Invoke;
  readonly caller: Caller;
  readonly admin: Admin;
  readonly printer: Printer;
  readonly stdin: Readable;
  readonly version: string;
  settingsHelp(): string;
  /** Aborts when the user interrupts. */
  readonly signal?: AbortSignal | undefined;
}

const indent = 2;

export function createCli(deps: CliDeps) {
  const { printer, admin } = deps;
  const commands = createCommands({ ...deps, columns: printer.columns });

  function printAnswer({ value, text, exitCode = exitCodes.ok, failure }: CommandAnswer, asJson: boolean): number {
    if (asJson) printer.out(`${toSafeJson(value, printer.isTerminal.stdout ? indent : 0)}\n`);
    else printer.out(text ?? renderValue(value, printer.columns));
    if (failure !== undefined) printer.err(`Failed: ${toSafeLine(failure)}\n`);
    return exitCode;
  }

  async function runCommand(command: Command, args: Arguments): Promise<number> {
    const given = args.input === undefined ? {} : await readInput(args.input, deps.stdin);
    const values = { ...given, ...args.values };
    checkRequired(command, values);
    const progress = createProgressLine(printer);
    try {
      const answer = await command.run(values, {
        idempotencyKey: args.idempotencyKey,
        tenant: args.tenant,
        signal: deps.signal,
        progress: (done, total, message) => progress.show(done, total, message),
      });
      progress.clear();
      return answer === undefined ? exitCodes.ok : printAnswer(answer, args.asJson);
    } finally {
      progress.clear();
    }
  }

  function showUsage(): number {
    printer.out(renderUsage(commands.program, commands.cards, deps.version, deps.settingsHelp()));
    return exitCodes.ok;
  }

  function showGroup(words: readonly string[], members: readonly CommandLine[]): number {
    printer.out(renderGroupHelp(words, members));
    return exitCodes.ok;
  }

  function unknownCommand(words: readonly string[]): Fault {
    const [first] = words;
    const below = words.length > 1 ? [] : commands.names().filter((name) => name.startsWith(`${first} `));
    if (below.length > 0) {
      return cliFaults.USAGE_ERROR({
        why: `fourfold ${first} is not complete: ${below.map((name) => `fourfold ${name}`).join(', ')}`,
      });
    }
    const said = words.slice(0, 4).join(' ');
    // Compares only as many words as were typed: of a longer command the first words may be misspelled.
    const beginnings = new Map<string, string>();
    for (const name of commands.names()) {
      const beginning = name.split(' ').slice(0, words.length).join(' ');
      if (!beginnings.has(beginning)) beginnings.set(beginning, name);
    }
    const meant = beginnings.get(deps.nearest(said, beginnings.keys()) ?? '');
    return cliFaults.USAGE_ERROR({ why: `unknown command ${said}; did you mean fourfold ${meant}?` });
  }

  /** Without a command, a terminal gets help and a pipe gets the protocol. */
  async function runBare(flags: readonly string[]): Promise<number> {
    if (flags.includes('--version') || flags.includes('-V')) {
      printer.out(`${deps.version}\n`);
      return exitCodes.ok;
    }
    if (flags.includes('--help') || flags.includes('-h') || printer.isTerminal.stdin) return showUsage();
    await admin.stdio();
    return exitCodes.ok;
  }

  async function dispatch(words: readonly string[]): Promise<number> {
    const flagAt = words.findIndex((word) => word.startsWith('-'));
    const leading = words.slice(0, flagAt === -1 ? words.length : flagAt);
    if (leading.length === 0) return runBare(words);
    if (leading[0] === 'help') return leading.length === 1 ? showUsage() : dispatch([...words.slice(1), '--help']);
    const found = commands.find(leading);
    const isTooLong = found !== undefined && found.length < leading.length && found.command.positionals.length === 0;
    if (found === undefined && words.some((word) => word === '--help' || word === '-h')) {
      const members = commands.below(leading);
      if (members.length > 0) return showGroup(leading, members);
    }
    if (found === undefined || isTooLong) throw unknownCommand(leading);
    const args = parseArguments(found.command, words.slice(found.length), deps);
    if (!args.asksForHelp) return runCommand(found.command, args);
    printer.out(renderCommandHelp(found.command));
    return exitCodes.ok;
  }

  return {
    /** Runs the command line without its settings. Returns the exit code. */
    async run(words: readonly string[]): Promise<number> {
      try {
        return await dispatch(words);
      } catch (error) {
        if (error instanceof Fault) return printFault(printer, error, words.includes('--json'));
        throw error;
      }
    },
  };
}
