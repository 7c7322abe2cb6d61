import { isObject, type JsonObject } from './protocol.ts';

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isObjectOrAbsent = (value: unknown): boolean => value === undefined || isObject(value);
const isBooleanOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

/** What the SDK accepts as a client's description of itself, icons aside. */
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

/** One of the capabilities both eras know, in a form the SDK accepts. */
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
