// Must run on every Node from 14 on.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Distinguishes our own child from a program that another one forked with a channel. */
const mark = 'FOURFOLD_RELAUNCHED';

/** Time limit for a shutdown after the parent is gone: no other process would end it. */
const orphanMs = 10000;

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A terminal sends these to the whole foreground group, so the child already gets them. */
const sentByTerminal = ['SIGINT', 'SIGHUP'];

/**
 * Runs another Node instead of this one: same streams, signals passed on, same exit. The channel carries no messages; it closes
 * when this process ends, and `endWithParent` in the child notices that even after a kill -9.
 */
export function relaunch(execPath, args) {
  const child = spawn(execPath, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [mark]: '1' },
    windowsHide: true,
  });
  const onTerminal = process.stdin.isTTY || process.stderr.isTTY;
  for (const signal of forwarded) {
    process.on(signal, () => {
      if (!(onTerminal && sentByTerminal.includes(signal))) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`fourfold could not start ${execPath}: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code === null ? 1 : code);
    // Report how it ended: die of the same signal, or use the exit code where that is impossible.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    process.exit(128 + constants.signals[signal]);
  });
}

/** In the child: shuts down as on SIGTERM when the process that relaunched us is gone. Returns whether there is one. */
export function endWithParent() {
  const isRelaunched = process.env[mark] !== undefined && process.channel !== undefined;
  // Programs that we start must not inherit the mark.
  delete process.env[mark];
  if (!isRelaunched) return false;
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), orphanMs).unref();
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(128 + constants.signals.SIGTERM);
  });
  // This channel must not keep the program alive.
  process.channel.unref();
  return true;
}
