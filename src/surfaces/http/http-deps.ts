import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from '#kernel/access/access.ts';
import type { CodeFlow } from '#kernel/access/code-flow.ts';
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

/** The MCP surface: takes a request with its body already read and its caller authenticated. */
export interface McpHandler {
  /** Settles when the answer is written or the stream has ended. */
  handle(req: IncomingMessage, res: ServerResponse, body: Buffer, caller: Caller): Promise<void>;
  close(): Promise<void>;
}

export interface ChangeFeed {
  /** One tenant's changes in `seq` order. Returns an unsubscribe function. */
  subscribe(tenant: TenantId, listener: (change: Change) => void): () => void;
  /** Changes that a disconnected client has missed. */
  since(tenant: TenantId, seq: number, limit: number): Promise<readonly Change[]>;
}

export interface Readiness {
  readonly ok: boolean;
  /** One word or line per part, without paths, addresses or secrets: anyone may read it. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface HttpSettings {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** How many ports after `port` to try when it is taken. */
  readonly tries: number;
  readonly auth: boolean;
  /** Names of this server, in addition to loopback and the bound host. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call, such as `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  readonly bodyBytes: number;
  readonly metrics: boolean;
  readonly metricsPath: string;
  readonly metricsAuth: 'key' | 'loopback';
  readonly oauth?: OAuthSettings | undefined;
  /** The origin that browsers see, if it is not the one of the request. */
  readonly publicOrigin?: string | undefined;
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
  /** How people sign in at an authorization server, if they do. */
  readonly codeFlow?: CodeFlow | undefined;
  readonly changes: ChangeFeed;
  readonly health: { ready(): Promise<Readiness> };
  readonly settings: HttpSettings;
  /** Without it no signed files are served. */
  readonly openSigned?: OpenSigned;
  /** Folder of the built dashboard. */
  readonly dashboardFolder: string;
  /** Metrics of the memories, under their own names. */
  readonly metricSources?: readonly MetricSource[];
  readonly about: {
    readonly version: string;
    readonly dataFolder: string;
    readonly startedAt: number;
    /** How a client starts this program over stdio; `fourfold` by default. */
    readonly stdioCommand?: readonly string[];
  };
}
