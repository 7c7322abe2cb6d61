import { addFormats, Ajv } from '@feathersjs/schema';
import type { FormatsPluginOptions } from '@feathersjs/schema';

const formats: FormatsPluginOptions = [
  'date-time',
  'time',
  'date',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
  'uri-template',
  'json-pointer',
  'relative-json-pointer',
  'regex',
];

export const dataValidator = addFormats(new Ajv({}), formats);

// What comes in a URL is text: it becomes the number or boolean that the schema asks for.
export const queryValidator = addFormats(new Ajv({ coerceTypes: true }), formats);
// <<keywords>>
