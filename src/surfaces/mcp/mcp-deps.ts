import type { Server } from '@modelcontextprotocol/server';
import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Change } from '#kernel/storage/port.ts';
import type { Era } from '#kernel/tool/fault-forms.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { Invoke } from '#kernel/tool/invoke.ts';
import type { PromptCatalog } from '#kernel/tool/prompt.ts';
import type { Registry } from '#kernel/tool/registry.ts';
import type { ResourceCatalog } from '#kernel/tool/resource.ts';
import type { SkillCatalog } from '#kernel/tool/skill.ts';

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

/** Part of every answer of the 2026 era, so it stays small. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** Which part of a tool's answer contains its data. */
export type AnswerParts = 'both' | 'text' | 'structured';

export interface ListingChoice {
  readonly toolNames: 'listed' | 'canonical';
  /** Toolsets whose tools are listed, and no others. */
  readonly toolsets: readonly string[] | 'all' | 'default';
  /** The canonical names of the tools that are listed, whatever the toolsets. */
  readonly tools?: readonly string[] | undefined;
  readonly readOnly: boolean;
}

/** Committed changes of one tenant, from any process. */
export interface ChangeFeed {
  subscribe(tenant: TenantId, listener: (change: Change) => void): () => void;
}

export interface McpDeps {
  readonly registry: Registry;
  readonly invoke: Invoke;
  readonly permits: Permits;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly server: ServerIdentity;
  /** Below 2,000 characters: clients cut it there. */
  readonly instructions: string;
  readonly listing: ListingChoice;
  readonly answers: AnswerParts;
  readonly resources: ResourceCatalog;
  readonly prompts: PromptCatalog;
  readonly skills?: SkillCatalog;
  readonly changes: ChangeFeed;
  /** stdio, 2025 era: send a protocol ping after this long without a message. */
  readonly idleKeepaliveMs?: number;
  /** If off, the 2025 era is served without sessions: no subscriptions and no server-to-client requests. */
  readonly httpSessions: boolean;
}

/** What the official conformance suites expect, registered over our own handlers. */
export type Fixtures = (server: Server, era: Era) => void;

/** For tests. */
export interface McpOptions {
  readonly fixtures?: Fixtures;
  /** Sends everything to the SDK, to compare its answers with those of the fast path. */
  readonly isFastPathOff?: boolean;
}

export const mcpLimits = {
  listPageCount: 100,
  /** Clients cut descriptions at about 2,000 characters. */
  descriptionChars: 1_000,
  instructionsChars: 2_000,
  /** How long a 2026-era client may cache a list that only a restart changes. */
  listTtlMs: 60_000,
  completionsCount: 100,
  subscriptionsCount: 1_000,
  /** Per client on stdio; further input waits in the pipe. */
  runningCallsCount: 1_000,
  /** Folders and file of a skill's URI. */
  skillPathCount: 8,
  sessionSweepMs: 60_000,
  /** How long a call waits for a client that is asked for its roots. */
  rootsWaitMs: 1_000,
  rootChars: 4_096,
} as const;
