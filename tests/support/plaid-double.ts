import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'texts' | 'count' | 'object';

/** Fields of a request, from Plaid's description of version 2020-09-14; a question mark means optional. */
const described: Readonly<Record<string, Readonly<Record<string, Kind | `${Kind}?`>>>> = {
  '/link/token/create': {
    client_name: 'text',
    language: 'text',
    country_codes: 'texts',
    user: 'object?',
    products: 'texts?',
    access_token: 'text?',
    redirect_uri: 'text?',
  },
  '/item/public_token/exchange': { public_token: 'text' },
  '/accounts/get': { access_token: 'text', options: 'object?' },
  '/institutions/get_by_id': { institution_id: 'text', country_codes: 'texts', options: 'object?' },
  '/transactions/sync': { access_token: 'text', cursor: 'text?', count: 'count?', options: 'object?' },
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  count: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 500,
  object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
};

export interface PlaidTransaction {
  readonly transaction_id: string;
  readonly [field: string]: unknown;
}

/** A transaction with every field that Plaid requires. */
export const transaction = (id: string, more: Json = {}): PlaidTransaction => ({
  transaction_id: id,
  account_id: 'acc-checking',
  amount: 12.5,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
  date: '2026-10-05',
  datetime: null,
  authorized_date: '2026-10-04',
  authorized_datetime: null,
  name: `PURCHASE ${id}`,
  merchant_name: 'Blue Bottle',
  website: 'bluebottle.example',
  pending: false,
  pending_transaction_id: null,
  payment_channel: 'in store',
  payment_meta: {},
  location: {},
  account_owner: null,
  transaction_code: null,
  personal_finance_category: { primary: 'FOOD_AND_DRINK', detailed: 'FOOD_AND_DRINK_COFFEE' },
  counterparties: [],
  ...more,
});

export interface Update {
  readonly kind: 'added' | 'modified' | 'removed';
  readonly transaction: PlaidTransaction;
}

export const added = (...ids: readonly string[]): readonly Update[] =>
  ids.map((id) => ({ kind: 'added', transaction: transaction(id) }));

/** Answers instead of the double; undefined lets the double answer. */
type Answerer = (request: { readonly path: string; readonly body: Json }) => Answer | undefined;
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const plaidError = (error_type: string, error_code: string, status = 400): Answer => ({
  status,
  body: { error_type, error_code, error_message: `about ${error_code}`, display_message: null, request_id: 'r' },
});

interface Bank {
  readonly itemId: string;
  readonly accessToken: string;
  readonly institutionName: string;
  updates: Update[];
}

export const plaidSecrets = {
  clientId: 'client-5f1e9c',
  secret: 'plaid-secret-0d4f7a21',
  tokenMark: 'access-sandbox-',
} as const;

/** Plaid on loopback. It records every request that differs from the description of the API in `wrong`. */
export async function startPlaid() {
  const wrong: string[] = [];
  const requests: { readonly path: string; readonly body: Json }[] = [];
  const banks = new Map<string, Bank>();
  const publicTokens = new Map<string, Bank>();
  let answer: Answerer = () => undefined;
  let pageSize = 500;
  /** Called with the answer to a request before it is sent. */
  let beforeAnswer: (path: string, sentCount: number) => Promise<void> | void = () => {};

  function check(request: IncomingMessage, path: string, body: Json): void {
    const fields = described[path];
    if (fields === undefined) return void wrong.push(`unknown path ${path}`);
    if (request.method !== 'POST') wrong.push(`${path}: method ${request.method}`);
    if (request.headers['content-type'] !== 'application/json') wrong.push(`${path}: content type`);
    if (request.headers['plaid-version'] !== '2020-09-14') wrong.push(`${path}: version`);
    for (const [name, kind] of Object.entries(fields)) {
      const isOptional = kind.endsWith('?');
      const value = body[name];
      if (value === undefined ? !isOptional : !fits[kind.replace('?', '') as Kind](value))
        wrong.push(`${path}: ${name}`);
    }
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(fields, name)) wrong.push(`${path}: unknown field ${name}`);
    }
    if (path === '/link/token/create') {
      if (!isText((body['user'] as Json | undefined)?.['client_user_id'])) wrong.push(`${path}: user.client_user_id`);
      if (body['access_token'] === undefined && body['products'] === undefined) wrong.push(`${path}: no products`);
      if (body['access_token'] !== undefined && body['products'] !== undefined)
        wrong.push(`${path}: products in update mode`);
    }
  }

  const isKnown = ({ headers }: IncomingMessage): boolean =>
    headers['plaid-client-id'] === plaidSecrets.clientId && headers['plaid-secret'] === plaidSecrets.secret;

  function syncPage(bank: Bank, cursor: string | undefined, count: number): Answer {
    const from = cursor === undefined ? 0 : Number(/^cursor-(\d+)$/.exec(cursor)?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) return plaidError('INVALID_REQUEST', 'INVALID_FIELD');
    const page = bank.updates.slice(from, from + Math.min(count, pageSize));
    const of = (kind: Update['kind']) => page.filter((one) => one.kind === kind).map((one) => one.transaction);
    const next = from + page.length;
    return {
      body: {
        added: of('added'),
        modified: of('modified'),
        removed: of('removed').map(({ transaction_id, account_id }) => ({ transaction_id, account_id })),
        next_cursor: `cursor-${next}`,
        has_more: next < bank.updates.length,
        accounts: [],
        transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
        request_id: 'r',
      },
    };
  }

  function respond(path: string, body: Json): Answer {
    if (path === '/link/token/create') {
      return { body: { link_token: 'link-sandbox-1', expiration: '2026-11-18T12:00:00Z', request_id: 'r' } };
    }
    if (path === '/item/public_token/exchange') {
      const token = String(body['public_token']);
      const bank = publicTokens.get(token);
      if (bank === undefined) return plaidError('INVALID_INPUT', 'INVALID_PUBLIC_TOKEN');
      publicTokens.delete(token);
      return { body: { access_token: bank.accessToken, item_id: bank.itemId, request_id: 'r' } };
    }
    if (path === '/institutions/get_by_id') {
      return { body: { institution: { institution_id: 'ins_1', name: 'First Platypus Bank' }, request_id: 'r' } };
    }
    const bank = banks.get(String(body['access_token']));
    if (bank === undefined) return plaidError('INVALID_INPUT', 'INVALID_ACCESS_TOKEN');
    if (path === '/transactions/sync') {
      return syncPage(bank, body['cursor'] as string | undefined, Number(body['count'] ?? 100));
    }
    return {
      body: {
        accounts: [
          { account_id: 'acc-checking', name: 'Checking', type: 'depository', subtype: 'checking', balances: {} },
        ],
        item: {
          item_id: bank.itemId,
          institution_id: 'ins_1',
          institution_name: bank.institutionName === '' ? null : bank.institutionName,
          products: ['transactions'],
          billed_products: ['transactions'],
          available_products: [],
          error: null,
          webhook: '',
          consent_expiration_time: null,
          update_type: 'background',
        },
        request_id: 'r',
      },
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json;
    check(request, path, body);
    requests.push({ path, body });
    const reply = isKnown(request)
      ? (answer({ path, body }) ?? respond(path, body))
      : plaidError('INVALID_INPUT', 'INVALID_API_KEYS');
    await beforeAnswer(path, requests.length);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      wrong.push(String(error));
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    env: {
      FOURFOLD_PLAID_URL: url,
      FOURFOLD_PLAID_CLIENT_ID: plaidSecrets.clientId,
      FOURFOLD_PLAID_SECRET: plaidSecrets.secret,
    },
    /** Differences from the description. */
    wrong,
    requests,
    /** A person connects a bank in Plaid Link; returns the public token. */
    link(name: string, updates: readonly Update[] = [], institutionName = 'First Platypus Bank'): string {
      const accessToken = `${plaidSecrets.tokenMark}${name}-8d3e`;
      const bank = { itemId: `item-${name}`, accessToken, institutionName, updates: [...updates] };
      banks.set(accessToken, bank);
      publicTokens.set(`public-sandbox-${name}`, bank);
      return `public-sandbox-${name}`;
    },
    /** The bank reports something. */
    report(name: string, ...updates: readonly Update[]): void {
      banks.get(`${plaidSecrets.tokenMark}${name}-8d3e`)!.updates.push(...updates);
    },
    setPageSize(size: number): void {
      pageSize = size;
    },
    answerWith(next: Answerer): void {
      answer = next;
    },
    onAnswer(next: typeof beforeAnswer): void {
      beforeAnswer = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
