import { isObject } from '#kernel/json/is-object.ts';
import type { Era } from '#kernel/tool/fault-forms.ts';
import { type JsonObject, metaKeys, modernRevision } from './protocol.ts';

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isObjectOrAbsent = (value: unknown): boolean => value === undefined || isObject(value);
const isBooleanOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

/** Client info that the SDK accepts, without icons. */
export const isClientInfo = (info: unknown): info is JsonObject =>
  isObject(info) &&
  typeof info['name'] === 'string' &&
  typeof info['version'] === 'string' &&
  isTextOrAbsent(info['title']) &&
  isTextOrAbsent(info['websiteUrl']) &&
  isTextOrAbsent(info['description']);

function holdsObjectsOnly(record: JsonObject): boolean {
  for (const key in record) if (!isObject(record[key])) return false;
  return true;
}

/** A capability that both eras know, in a form that the SDK accepts. */
export function isCapability(name: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (name) {
    case 'roots':
      return isBooleanOrAbsent(value['listChanged']);
    case 'sampling':
      return isObjectOrAbsent(value['context']) && isObjectOrAbsent(value['tools']);
    case 'elicitation': {
      const { form, url } = value;
      return (
        isObjectOrAbsent(url) && (form === undefined || (isObject(form) && isBooleanOrAbsent(form['applyDefaults'])))
      );
    }
    case 'experimental':
    case 'extensions':
      return holdsObjectsOnly(value);
    default:
      return false;
  }
}

const isRegularClientInfo = (info: unknown): boolean =>
  info === undefined || (isClientInfo(info) && info['icons'] === undefined);

function areRegularCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  for (const name in capabilities) if (!isCapability(name, capabilities[name])) return false;
  return true;
}

/**
 * The era of a request by its `_meta`, if the SDK certainly accepts every reserved key in it and the key asks for
 * nothing beyond an answer. Undefined for a progress token, a log level, a task, or a malformed value: the SDK decides.
 */
export function eraOfMeta(meta: unknown): Era | undefined {
  if (meta === undefined) return 'legacy';
  if (!isObject(meta)) return undefined;
  let reservedCount = 0;
  for (const key in meta) {
    if (key === 'progressToken') return undefined;
    if (key.startsWith(metaKeys.prefix)) reservedCount += 1;
  }
  if (reservedCount === 0) return 'legacy';
  const info = meta[metaKeys.clientInfo];
  const expectedCount = info === undefined ? 2 : 3;
  if (meta[metaKeys.protocolVersion] !== modernRevision || reservedCount !== expectedCount) return undefined;
  return isRegularClientInfo(info) && areRegularCapabilities(meta[metaKeys.clientCapabilities]) ? 'modern' : undefined;
}

/** Whether a message names a revision itself, valid or not. */
export const claimsRevision = (params: unknown): boolean =>
  isObject(params) && isObject(params['_meta']) && metaKeys.protocolVersion in params['_meta'];
