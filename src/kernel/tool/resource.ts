import type { ChangeKind, Topic } from '../storage/port.ts';

/**
 * How a resource, prompt or skill reads its data: it calls a tool in the name of the requester, so scope, tenant,
 * limits and metrics apply. Throws the tool's Fault.
 */
export type Ask = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<object>;

/** `nextCursor` is opaque. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export interface ResourceItem {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}

export type ResourceContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly base64: string };

export type Variables = Readonly<Record<string, string>>;

/** All resources of one URI scheme: `instruction://{id}`. */
export interface ResourceFamily {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** If absent, nothing is listed and only the template describes the resources. */
  list?(ask: Ask, cursor: string | undefined): Promise<Page<ResourceItem>>;
  /** Undefined if it does not exist. */
  read(variables: Variables, ask: Ask): Promise<ResourceContent | undefined>;
  /** Values for one variable of the template that begin with `typed`; `chosen` holds the other variables so far. */
  complete?(variable: string, typed: string, ask: Ask, chosen: Variables): Promise<readonly string[]>;
  /** Which changes of the store concern this family; without it clients cannot subscribe. */
  readonly changes?: {
    readonly topic: Topic;
    variables(id: string, what: ChangeKind): Variables;
  };
}

export interface ResourceCatalog {
  readonly families: readonly ResourceFamily[];
}

export const noResources: ResourceCatalog = { families: [] };

interface Part {
  readonly literal: string;
  /** The variable that follows the literal; undefined at the end of the template. */
  readonly variable: string | undefined;
  /** `{+path}`: may contain slashes (RFC 6570, 3.2.3). */
  readonly isPath: boolean;
}

function split(template: string): readonly Part[] {
  const pieces = template.split(/[{}]/);
  const parts: Part[] = [];
  for (let i = 0; i < pieces.length; i += 2) {
    const variable = pieces[i + 1];
    const isPath = variable?.startsWith('+') === true;
    parts.push({ literal: pieces[i]!, variable: isPath ? variable?.slice(1) : variable, isPath });
  }
  return parts;
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/**
 * `instruction://{id}` and `instruction://a%20b` → `{ id: 'a b' }`. A variable matches one or more characters,
 * `{+path}` slashes too.
 */
export function matchUri(template: string, uri: string): Variables | undefined {
  const found: Record<string, string> = {};
  const parts = split(template);
  let at = 0;
  for (const [i, { literal, variable, isPath }] of parts.entries()) {
    if (!uri.startsWith(literal, at)) return undefined;
    at += literal.length;
    if (variable === undefined) break;
    const next = parts[i + 1]?.literal ?? '';
    const end = next === '' ? uri.length : uri.indexOf(next, at);
    const isTaken = end > at && (isPath || !uri.slice(at, end).includes('/'));
    const value = isTaken ? decode(uri.slice(at, end)) : undefined;
    if (value === undefined) return undefined;
    found[variable] = value;
    at = end;
  }
  return at === uri.length ? found : undefined;
}

export const toUri = (template: string, variables: Variables): string =>
  template.replace(/\{(\+?)([^{}]+)\}/g, (_, path: string, name: string) => {
    const value = encodeURIComponent(variables[name] ?? '');
    return path === '' ? value : value.replaceAll('%2F', '/');
  });
