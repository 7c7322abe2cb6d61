import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
import type { OAuthSettings } from '#kernel/access/jwt.ts';
import type { Caller, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Change } from '#kernel/storage/port.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { Registry } from '#kernel/tool/registry.ts';
import type { MetricSource } from './metrics.ts';
import type { OpenSigned } from './signed-files.ts';

/** The MCP surface, as this one sees it: takes a request whose body was read and whose caller is proven. */
export interface McpHandler {
  /** Settles when the answer is written or the stream is over. */
  handle(req: IncomingMessage, res: ServerResponse, body: Buffer, caller: Caller): Promise<void>;
  /** Ends every open stream and session. */
  close(): Promise<void>;
}

export interface ChangeFeed {
  /** In the order of `seq`, of one tenant. Answers an unsubscribe function. */
  subscribe(tenant: TenantId, listener: (change: Change) => void): () => void;
  /** What a client that was away has missed. */
  since(tenant: TenantId, seq: number, limit: number): Promise<readonly Change[]>;
}

export interface Readiness {
  readonly ok: boolean;
  /** One word or line a part; shown to anybody who asks, so without paths, addresses and secrets. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface HttpSettings {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** How many ports after `port` are tried when it is taken. */
  readonly tries: number;
  readonly auth: boolean;
  /** Names this server is reached by, beside loopback and the bound host. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call, such as `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  readonly bodyBytes: number;
  readonly metrics: boolean;
  readonly metricsPath: string;
  readonly oauth?: OAuthSettings | undefined;
}

export interface HttpDeps {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly meter: ToolMeter;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mcp: McpHandler;
  readonly access: Access;
  readonly changes: ChangeFeed;
  readonly health: { ready(): Promise<Readiness> };
  readonly settings: HttpSettings;
  /** Without it no signed files are served. */
  readonly openSigned?: OpenSigned;
  /** What the memories count under names of their own. */
  readonly metricSources?: readonly MetricSource[];
  readonly about: {
    readonly version: string;
    readonly dataFolder: string;
    readonly startedAt: number;
    /** How a client starts this program over stdio; `fourfold` when not given. */
    readonly stdioCommand?: readonly string[];
  };
}
