import type { z } from 'zod';
import type { Json } from '#kernel/json/canonical.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import type { MailInput, MailOutput } from './mail/mail-task.ts';
import type { TextReader } from './reader-tasks.ts';

/** The kinds of things that connectors bring in; each is a built-in capability. */
export type ItemKind = 'message' | 'post' | 'event' | 'issue' | 'commit' | 'article' | 'document';

/** One thing at the other service, such as a mail or an issue. */
export interface RemoteItem {
  readonly kind: ItemKind;
  /** Its lasting id at the service. */
  readonly id: string;
  readonly fields: Readonly<Record<string, Json | undefined>>;
  /** When the service says that it was last changed, in milliseconds. */
  readonly at?: number | undefined;
}

/** Something that could not be read; the rest of the page goes on. */
export interface RemoteProblem {
  readonly id: string;
  readonly why: string;
}

export interface RemotePage {
  readonly items: readonly RemoteItem[];
  readonly problems?: readonly RemoteProblem[];
  /** Where the next page starts, also in the next sync. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

export interface PageRequest {
  /** Undefined for the first page of all. */
  readonly cursor: string | undefined;
  /** The most items that the page should have. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** An open connection to one account, folder or address. */
export interface Connector {
  fetchPage(request: PageRequest): Promise<RemotePage>;
  close?(): Promise<void>;
}

export type ConnectorOptions = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ConnectorDeps {
  /** Checks addresses, follows redirects and limits time and size. */
  readonly outbound: Outbound;
  readonly now: () => number;
  readonly readText: TextReader;
  /** Parses a mail in a process of its own. */
  readMail(mail: MailInput, signal: AbortSignal): Promise<MailOutput>;
  /** Stores a renewed secret, such as a refreshed token, before it is used. */
  saveSecret(secret: string): Promise<void>;
}

/** What the browser brought back, for the exchange against tokens. */
export interface ConsentGrant {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** A service where a person allows the access in the browser (OAuth 2.1 with PKCE). */
export interface OAuthService {
  readonly authorizeUrl: string;
  /** As the service separates them. */
  readonly scope: string;
  readonly needsClientSecret?: boolean;
  /** Returns the secret of the connector. */
  exchange(grant: ConsentGrant, deps: Pick<ConnectorDeps, 'outbound' | 'now'>, signal: AbortSignal): Promise<string>;
}

/** How a provider is connected. Its module is loaded when a connector of it is added or synced. */
export interface ConnectorType<O extends ConnectorOptions = ConnectorOptions> {
  readonly options: z.ZodType<O>;
  /** What the secret is, for messages; undefined if it needs none. */
  readonly secret?: { readonly what: string; readonly isOptional?: boolean };
  oauth?(options: O): OAuthService;
  open(options: O, secret: string | undefined, deps: ConnectorDeps): Promise<Connector> | Connector;
}

export const defineConnector = <O extends ConnectorOptions>(type: ConnectorType<O>): ConnectorType<O> => type;
