import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { findDebianPackage } from './debian-packages.ts';
import { changeOwner, findUser } from './postgres/server-process.ts';

export const dovecotPackage = await findDebianPackage('dovecot-imapd', ['dovecot', 'doveadm', 'openssl']);

const run = promisify(execFile);

export interface DovecotOptions {
  /** Names and their passwords. */
  readonly users: Readonly<Record<string, string>>;
  readonly hasTls?: boolean;
  /** Answers whether an access token is valid (RFC 7662); the token is appended. */
  readonly introspectionUrl?: string;
}

export interface TestDovecot {
  /** For STARTTLS, or without TLS. */
  readonly port: number;
  readonly tlsPort: number;
  /** The certificate to trust, which is for `localhost`. */
  readonly certificateFile: string;
  /** Puts a message into a mailbox, as a delivery would. */
  deliver(user: string, message: string | Uint8Array, mailbox?: string): void;
  /** Runs a command of the administrator. */
  admin(...words: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function makeCertificate(openssl: string, folder: string): Promise<void> {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await run(openssl, ['req', ...kind, ...subject, ...files]);
}

/** Every process is of one unprivileged user, so that no other user is needed. */
function renderConfig(folder: string, user: string, ports: readonly number[], options: DovecotOptions): string {
  const { hasTls = false, introspectionUrl } = options;
  const [port, tlsPort] = ports;
  const tokens = `passdb {\n driver = oauth2\n mechanisms = xoauth2 oauthbearer\n args = ${folder}/oauth2.conf\n}`;
  return `
    protocols = imap
    listen = 127.0.0.1
    base_dir = ${folder}/run
    state_dir = ${folder}/state
    log_path = /dev/stderr
    default_login_user = ${user}
    default_internal_user = ${user}
    default_internal_group =
    first_valid_uid = 1
    first_valid_gid = 1
    mail_location = maildir:${folder}/mail/%u
    mail_fsync = never
    mail_max_userip_connections = 0
    disable_plaintext_auth = no
    auth_failure_delay = 0
    auth_mechanisms = plain login${introspectionUrl === undefined ? '' : ' xoauth2'}
    ssl = ${hasTls ? 'yes' : 'no'}
    ${hasTls ? `ssl_cert = <${folder}/tls.crt\n ssl_key = <${folder}/tls.key` : ''}
    ${introspectionUrl === undefined ? '' : tokens}
    passdb {
      driver = passwd-file
      args = ${folder}/users
    }
    userdb {
      driver = static
      args = uid=${user} home=${folder}/mail/%u
    }
    service anvil {
      chroot =
      # Otherwise each login after a failed one waits some seconds.
      unix_listener anvil-auth-penalty {
        mode = 0
      }
    }
    service stats {
      chroot =
    }
    service imap-login {
      chroot =
      inet_listener imap {
        port = ${port}
      }
      inet_listener imaps {
        port = ${hasTls ? tlsPort : 0}
      }
    }
  `;
}

/** A process may have ended meanwhile. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A real mail server on loopback. */
export async function startDovecot(options: DovecotOptions): Promise<TestDovecot> {
  const { programs, reason } = dovecotPackage;
  if (programs === undefined) throw new Error(reason);
  const owner = findUser();
  const as = owner === undefined ? {} : { uid: owner.uid, gid: owner.gid };
  // Paths of sockets have to be short.
  const folder = mkdtempSync('/tmp/ff-imap-');
  chmodSync(folder, 0o755);
  for (const name of ['run', 'state', 'mail']) mkdirSync(join(folder, name));
  const ports = [await findPort(), await findPort()] as const;
  const [port, tlsPort] = ports;
  if (options.hasTls === true) await makeCertificate(programs.openssl, folder);
  const { stdout: user } = await run('id', ['-un', String(owner?.uid ?? process.getuid!())]);
  const configFile = join(folder, 'dovecot.conf');
  writeFileSync(configFile, renderConfig(folder, user.trim(), ports, options));
  writeFileSync(
    join(folder, 'users'),
    Object.entries(options.users)
      .map(([name, password]) => `${name}:{PLAIN}${password}\n`)
      .join(''),
  );
  writeFileSync(
    join(folder, 'oauth2.conf'),
    `introspection_mode = get
    introspection_url = ${options.introspectionUrl}
    username_attribute = username
    active_attribute = active
    active_value = true\n`,
  );
  if (owner !== undefined) changeOwner(owner, folder);
  const child = spawn(programs.dovecot, ['-F', '-c', configFile], { stdio: ['ignore', 'ignore', 'pipe'], ...as });
  const ended = once(child, 'exit');
  let printed = '';
  let isReady = false;
  for await (const line of createInterface({ input: child.stderr })) {
    printed += `${line}\n`;
    isReady = line.includes('starting up for imap');
    if (isReady) break;
  }
  if (!isReady) throw new Error(`Dovecot did not start: ${printed}`);
  // A full pipe would block it.
  child.stderr.resume();

  const folderOf = (name: string, mailbox: string) =>
    join(folder, 'mail', name, ...(mailbox === 'INBOX' ? [] : [`.${mailbox}`]));
  let delivered = 0;
  return {
    port,
    tlsPort,
    certificateFile: join(folder, 'tls.crt'),
    deliver(name, message, mailbox = 'INBOX') {
      const maildir = folderOf(name, mailbox);
      if (!existsSync(join(maildir, 'cur'))) {
        for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(maildir, part), { recursive: true });
        if (owner !== undefined) changeOwner(owner, join(folder, 'mail', name));
      }
      delivered += 1;
      const number = String(delivered).padStart(8, '0');
      writeFileSync(join(maildir, 'cur', `${number}.test:2,S`), message);
    },
    async admin(...words) {
      const { stdout } = await run(programs.doveadm, ['-c', configFile, ...words], as);
      return stdout;
    },
    async stop() {
      // Asked to stop, it would wait a second for its processes.
      const list = `/proc/${child.pid}/task/${child.pid}/children`;
      const processes = existsSync(list) ? (readFileSync(list, 'utf8').match(/\d+/g) ?? []) : [];
      child.kill(processes.length > 0 ? 'SIGKILL' : 'SIGTERM');
      await ended;
      for (const pid of processes) endNow(Number(pid));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
