import pg from 'pg';

/** The login of the program in tests. It may create roles and owns its databases, but has no superuser rights. */
export const testLogin = { name: 'fourfold_test_login', password: 'fourfold' } as const;

/** The same server with another user or database. */
export function withAddress(url: string, change: { user?: string; password?: string; database?: string }): string {
  const address = new URL(url);
  if (change.user !== undefined) address.username = change.user;
  if (change.password !== undefined) address.password = change.password;
  if (change.database !== undefined) address.pathname = `/${change.database}`;
  return address.href;
}

export async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Once per run, so that suites that start together find it. */
export async function createTestLogin(adminUrl: string): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const { rows } = await client.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    );
    if (rows[0]?.rolsuper !== true) {
      throw new Error('FOURFOLD_TEST_DATABASE_URL must name a superuser: the tests show what only one can see');
    }
    const found = await client.query('select 1 from pg_roles where rolname = $1', [testLogin.name]);
    const verb = found.rowCount === 0 ? 'create' : 'alter';
    await client.query(
      `${verb} role ${testLogin.name} login createrole nosuperuser nobypassrls password '${testLogin.password}'`,
    );
  });
}
