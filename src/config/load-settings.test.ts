import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { loadSettings, type SettingsInput } from './load-settings.ts';
import { flagMeanings } from './names.ts';
import { renderConfig } from './render-settings.ts';
import { type Settings, settingsList } from './settings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'fourfold-config-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const load = (argv: readonly string[] = [], env: SettingsInput['env'] = {}, more: Partial<SettingsInput> = {}) =>
  loadSettings({
    argv,
    env: { FOURFOLD_HOME: home, ...env },
    cwd: '/srv/project',
    platform: 'linux',
    homeDir: '/home/ada',
    ...more,
  });

function whyOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault && error.code === 'CONFIG_ERROR') return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

const writeFile = (members: unknown, name = 'config.json') => {
  const file = join(home, name);
  writeFileSync(file, typeof members === 'string' ? members : JSON.stringify(members));
  return file;
};

describe('the origin of values', () => {
  it('takes the flag over the variable over the file over the default', () => {
    writeFile({ port: 3 });
    const all = load(['--port', '1'], { FOURFOLD_PORT: '2' });
    expect([all.settings.port, all.provenance.port]).toEqual([1, { origin: 'flag', name: '--port' }]);
    const env = load([], { FOURFOLD_PORT: '2' });
    expect([env.settings.port, env.provenance.port]).toEqual([2, { origin: 'env', name: 'FOURFOLD_PORT' }]);
    const file = load();
    expect([file.settings.port, file.provenance.port]).toEqual([
      3,
      { origin: 'file', name: join(home, 'config.json') },
    ]);
    rmSync(join(home, 'config.json'));
    expect([load().settings.port, load().provenance.port]).toEqual([8787, { origin: 'default' }]);
  });

  it("honours the documents' own names for variables and flags", () => {
    const { settings } = load(['--dashboard', '--dashboard-port=9000', '--dashboard-host=::1', '--dashboard-tries=3'], {
      MCP_ENABLE_MUTATION: '1',
      INSTRUCTIONS_DIR: 'rules',
      MCP_LOG_FILE: 'a.log',
      MCP_LOG_ROTATE_BYTES: '8192',
      INDEX_FEATURES: 'usage, drift',
      SCRATCH_NOTEBOOK_HTTP_PORT: '7000',
      SCRATCH_NOTEBOOK_ENABLE_METRICS: 'off',
    });
    expect(settings).toMatchObject({
      dashboard: true,
      port: 9000,
      host: '::1',
      portTries: 3,
      mutation: true,
      instructionsDir: '/srv/project/rules',
      logFile: '/srv/project/a.log',
      logRotateBytes: 8192,
      features: ['usage', 'drift'],
      metrics: false,
    });
    expect(load(['--no-dashboard']).settings.dashboard).toBe(false);
    expect(load().settings.dashboard).toBeUndefined();
  });

  it('prefers our own variable to an alias and warns if they differ', () => {
    const { settings, warnings } = load([], { FOURFOLD_PORT: '1', SCRATCH_NOTEBOOK_HTTP_PORT: '2' });
    expect(settings.port).toBe(1);
    expect(warnings).toEqual(['FOURFOLD_PORT and SCRATCH_NOTEBOOK_HTTP_PORT are both set; FOURFOLD_PORT is used']);
  });

  it('treats an empty variable as unset, and an empty list as a value', () => {
    const { settings } = load([], { FOURFOLD_PORT: '', INDEX_FEATURES: '' });
    expect(settings.port).toBe(8787);
    expect(settings.features).toEqual([]);
  });

  it('concatenates the lists of several flags', () => {
    expect(load(['--allowed-hosts', 'a,b', '--allowed-hosts=c']).settings.allowedHosts).toEqual(['a', 'b', 'c']);
  });
});

describe('the data folder', () => {
  const platform = (name: NodeJS.Platform, env: SettingsInput['env'] = {}) =>
    loadSettings({
      argv: [],
      env,
      cwd: '/',
      platform: name,
      homeDir: name === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
    }).settings.home;

  it("defaults to the platform's data directory", () => {
    expect(platform('linux')).toBe('/home/ada/.local/share/fourfold');
    expect(platform('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/fourfold');
    expect(platform('linux', { XDG_DATA_HOME: 'relative' })).toBe('/home/ada/.local/share/fourfold');
    expect(platform('darwin')).toBe('/home/ada/Library/Application Support/fourfold');
    expect(platform('win32')).toBe('C:\\Users\\ada\\AppData\\Local\\fourfold');
    expect(platform('win32', { LOCALAPPDATA: 'D:\\Local' })).toBe('D:\\Local\\fourfold');
  });

  it('follows FOURFOLD_HOME, together with the files in it', () => {
    const { settings } = load([], { FOURFOLD_HOME: '~/elsewhere' });
    expect(settings.home).toBe('/home/ada/elsewhere');
    expect(settings.keyFile).toBe('/home/ada/elsewhere/key');
    expect(settings.instructionsDir).toBe('/home/ada/elsewhere/instructions');
  });

  it('can be set in a named file, but not in a file found through it', () => {
    const file = writeFile({ home: 'inner' }, 'other.json');
    const named = loadSettings({ argv: ['--config', file], env: {}, cwd: '/', platform: 'linux' });
    expect(named.settings.home).toBe(join(home, 'inner'));
    expect(named.provenance.home).toEqual({ origin: 'file', name: file });
    writeFile({ home: 'inner' });
    expect(whyOf(() => load())).toContain('"home" cannot be set in a file inside the data folder');
  });
});

describe('values', () => {
  it.each([
    ['1', true],
    ['true', true],
    ['YES', true],
    ['on', true],
    ['0', false],
    ['False', false],
    ['no', false],
    ['off', false],
  ])('reads the boolean %s', (text, value) => {
    expect(load([], { FOURFOLD_MUTATION: text }).settings.mutation).toBe(value);
  });

  it('reads durations and sizes with and without units', () => {
    const read = (deadline: string, body: string) => {
      const { settings } = load(['--deadline-ms', deadline, '--body-bytes', body]);
      return [settings.deadlineMs, settings.bodyBytes];
    };
    expect(read('500', '2048')).toEqual([500, 2048]);
    expect(read('90s', '16 MiB')).toEqual([90_000, 16 * 1024 * 1024]);
    expect(read('1.5m', '64k')).toEqual([90_000, 65_536]);
  });

  it("splits folders at the platform's delimiter and resolves them in the working directory", () => {
    expect(load([], { FOURFOLD_FILE_ROOTS: 'a:/b' }).settings.fileRoots).toEqual(['/srv/project/a', '/b']);
    const windows = load(
      ['--file-roots', 'a;D:\\b'],
      { FOURFOLD_HOME: 'C:\\none' },
      { platform: 'win32', cwd: 'C:\\w' },
    );
    expect(windows.settings.fileRoots).toEqual(['C:\\w\\a', 'D:\\b']);
    expect(load().settings.fileRoots).toBeUndefined();
  });

  it('resolves relative paths in the file from its folder', () => {
    writeFile({ logFile: 'x.log', fileRoots: ['docs'] });
    expect(load().settings).toMatchObject({ logFile: join(home, 'x.log'), fileRoots: [join(home, 'docs')] });
  });

  it('derives the type of every setting from the table', () => {
    expectTypeOf<Settings['port']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['home']>().toEqualTypeOf<string>();
    expectTypeOf<Settings['dashboard']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<Settings['toolNames']>().toEqualTypeOf<'listed' | 'canonical'>();
    expectTypeOf<Settings['features']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<Settings['databaseUrl']>().toEqualTypeOf<string | undefined>();
  });
});

describe('rejected values', () => {
  it.each([
    [['--prot', '1'], 'unknown flag --prot; did you mean --port?'],
    [['--no-port'], 'unknown flag --no-port; did you mean --port?'],
    [['-x'], 'unknown flag -x; did you mean --'],
    [['--port'], '--port needs a value'],
    [['--port', '--read-only'], '--port needs a value'],
    [['--no-auth=1'], '--no-auth takes no value'],
    [['--port=70000'], '--port: "70000" is not an integer from 0 to 65535; the nearest is 65535'],
    [['--port=8.5'], '--port: "8.5" is not an integer from 0 to 65535; the nearest is 9'],
    [['--port=abc'], '--port: "abc" is not an integer from 0 to 65535; write for example 8787'],
    [['--port='], '--port: the value is empty'],
    [['--http-sessions', 'atuo'], '--http-sessions: "atuo" is none of auto, on, off; did you mean auto?'],
    [['--read-only=ture'], 'did you mean true?'],
    [['--deadline-ms=2 weeks'], '"2 weeks" is not a duration from 100ms to 3600000ms; write for example 60000ms'],
    [['--body-bytes=1'], '"1" is not a size from 1024 to 268435456; the nearest is 1024'],
    [['--metrics-path=m'], '"m" does not start with /; did you mean /m?'],
    [['--oauth-issuer=ftp://x'], '"ftp://x" is not a URL of the form https://… or http://…'],
  ])('rejects %j', (argv, why) => {
    expect(whyOf(() => load(argv))).toContain(why);
  });

  it('names the variable and never repeats a secret', () => {
    const why = whyOf(() => load([], { FOURFOLD_DATABASE_URL: 'mysql://ada:hunter2@db/x' }));
    expect(why).toBe('FOURFOLD_DATABASE_URL: the value is not a URL of the form postgres://… or postgresql://…');
  });

  it('reports all problems together', () => {
    const why = whyOf(() => load(['--prot=1'], { FOURFOLD_AUTH: 'maybe', MCP_LOG_VERBOSE: '2' }));
    expect(why.split('\n')).toHaveLength(3);
  });

  it.each([
    [{ prot: 1 }, 'unknown setting "prot"; did you mean "port"?'],
    ['{"__proto__":{"port":1}}', 'unknown setting "__proto__"'],
    [{ port: true }, '"port": a number is expected'],
    [{ readOnly: 1 }, '"readOnly": true or false is expected'],
    [{ toolsets: [1] }, '"toolsets": a list of texts is expected'],
    [{ config: 'x' }, '"config" cannot be set in the file itself'],
    ['[]', 'a JSON object is expected'],
    ['{', 'not JSON'],
  ])('rejects the file %j', (members, why) => {
    const file = writeFile(members);
    expect(whyOf(() => load())).toContain(`${file}: ${why}`);
  });

  it('reads a file with a byte order mark', () => {
    writeFile('\uFEFF{"port":5}');
    expect(load().settings.port).toBe(5);
  });

  it('rejects a named file that is missing, and one that is too large', () => {
    expect(whyOf(() => load(['--config', '/nowhere/x.json']))).toBe('/nowhere/x.json: file not found');
    writeFile(`{"a":"${'x'.repeat(1024 * 1024)}"}`);
    expect(whyOf(() => load())).toContain('larger than');
  });

  it('warns about an unknown variable with our prefix', () => {
    const { warnings } = load([], { FOURFOLD_PROT: '1', FOURFOLD_TEST_DATABASE_URL: 'x', OTHER: 'y' });
    expect(warnings).toEqual(['unknown variable FOURFOLD_PROT; did you mean FOURFOLD_PORT?']);
  });

  it('still starts far enough to show help', () => {
    const loaded = load(['--prot', '--help'], { FOURFOLD_PORT: 'abc' });
    expect(loaded.rest).toEqual(['--help']);
    expect(loaded.warnings).toHaveLength(2);
  });
});

describe('commands', () => {
  const words = (argv: readonly string[], ownsFlag?: SettingsInput['ownsFlag']) => {
    const { command, rest, settings } = load(argv, {}, ownsFlag === undefined ? {} : { ownsFlag });
    return { command, rest, port: settings.port };
  };

  it('finds the command between settings and passes the rest on', () => {
    expect(words(['--port', '1', 'health', 'check', '--json'])).toEqual({
      command: 'health',
      rest: ['health', 'check', '--json'],
      port: 1,
    });
    expect(words(['health', 'check', '--port=2', '--query', 'x y'])).toEqual({
      command: 'health',
      rest: ['health', 'check', '--query', 'x y'],
      port: 2,
    });
    expect(words([])).toEqual({ command: undefined, rest: [], port: 8787 });
  });

  it('leaves a flag to the command that owns it', () => {
    const owns = (said: readonly string[], flag: string) => said.join(' ') === 'net scan' && flag === 'port';
    expect(words(['net', 'scan', '--port', '22'], owns)).toEqual({
      command: 'net',
      rest: ['net', 'scan', '--port', '22'],
      port: 8787,
    });
    expect(words(['--port', '9', 'net', 'scan', '--port', '22'], owns)).toMatchObject({
      rest: ['net', 'scan', '--port', '22'],
      port: 9,
    });
  });

  it('takes no settings after a double dash', () => {
    expect(words(['tools', 'find', '--', '--port', '1'])).toEqual({
      command: 'tools',
      rest: ['tools', 'find', '--', '--port', '1'],
      port: 8787,
    });
  });
});

it('reports variables without an effect', () => {
  const { noEffect } = load([], {
    MCP_INIT_FRAME_DIAG: '1',
    MCP_HANDSHAKE_TRACE: '1',
    DIST_WAIT_MS: '5',
    MCP_USAGE_FLUSH_MS: '75',
    MCP_ENABLE_MUTATION: '1',
    MCP_INITIAL: '1',
  });
  expect(noEffect).toEqual(['DIST_WAIT_MS', 'MCP_HANDSHAKE_TRACE', 'MCP_INIT_FRAME_DIAG', 'MCP_USAGE_FLUSH_MS']);
});

it('reads a bare number as seconds in aliases and as milliseconds in our own variable', () => {
  const age = (env: Record<string, string>) => load([], env).settings.preemptAgeMs;
  expect(age({ SCRATCH_NOTEBOOK_PREEMPT_AGE: '90' })).toBe(90_000);
  expect(age({ SCRATCH_NOTEBOOK_PREEMPT_AGE: '1.5' })).toBe(1_500);
  expect(age({ SCRATCH_NOTEBOOK_PREEMPT_AGE: '24h' })).toBe(86_400_000);
  expect(age({ FOURFOLD_PREEMPT_AGE_MS: '90' })).toBe(90);
});

it('masks secrets in the displayed configuration', () => {
  const loaded = load([], { FOURFOLD_DATABASE_URL: 'postgres://ada:hunter2@db/four?sslpassword=hunter3' });
  const lines = renderConfig(loaded);
  expect(lines.find((line) => line.setting === 'databaseUrl')).toEqual({
    setting: 'databaseUrl',
    value: 'postgres://ada:***@db/four?sslpassword=***',
    origin: 'env FOURFOLD_DATABASE_URL',
  });
  expect(JSON.stringify(lines)).not.toContain('hunter');
  expect(lines.find((line) => line.setting === 'port')).toEqual({ setting: 'port', value: '8787', origin: 'default' });
});

it('throws nothing but faults for any argument list', () => {
  const word = fc.oneof(
    fc.constantFrom(...flagMeanings.keys()).map((flag) => `--${flag}`),
    fc.constantFrom('--', '-', '--help', 'serve', '1', 'true', '--=', '--port=9'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
      try {
        const { settings } = load(argv);
        expect(Object.keys(settings)).toHaveLength(settingsList.length);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
