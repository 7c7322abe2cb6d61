// Runs on every Node from 14 on: nothing newer in here.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Tells our own child from a program that somebody else forked with a channel. */
const mark = 'FOURFOLD_RELAUNCHED';

/** A shutdown that hangs after the parent is gone ends here: nobody is left who could end it. */
const orphanMs = 10000;

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A terminal sends these to the whole foreground group, so the child has them already. */
const sentByTerminal = ['SIGINT', 'SIGHUP'];

/**
 * Runs another Node in our place: same streams, signals passed on, same end. The channel carries no messages; it closes
 * when this process ends, however it ends, and `endWithParent` in the child sees that also after a kill -9.
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
    // Whoever waits for us learns how it ended: die of the same signal, or say so in the code where that is not possible.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    process.exit(128 + constants.signals[signal]);
  });
}

/** In the child: shuts down as on SIGTERM when the process that relaunched us is gone. Answers whether there is one. */
export function endWithParent() {
  const isRelaunched = process.env[mark] !== undefined && process.channel !== undefined;
  // Programs that we start in turn are not our relaunched selves.
  delete process.env[mark];
  if (!isRelaunched) return false;
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), orphanMs).unref();
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(128 + constants.signals.SIGTERM);
  });
  // Waiting for the parent's end alone must not keep the program alive.
  process.channel.unref();
  return true;
}
