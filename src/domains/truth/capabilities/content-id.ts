import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Capability } from './capability.ts';
import { type Body, normaliseBody } from './normalise.ts';

export interface Content {
  readonly body: Body;
  readonly sourceRefs: readonly string[];
  readonly extractorVersion: string;
}

/** [TR2] Who sent it, when and under which request is not in it: the same content is the same payload. */
export function contentIdOf(capability: Capability, { body, sourceRefs, extractorVersion }: Content): string {
  const members = [
    `"body":${normaliseBody(capability, body)}`,
    `"capability_id":${JSON.stringify(capability.capability_id)}`,
    `"extractor_version":${JSON.stringify(extractorVersion)}`,
    `"source_refs":${JSON.stringify(sourceRefs.toSorted())}`,
  ];
  return `payload_${sha256Hex(`{${members.join(',')}}`).slice(0, 24)}`;
}
