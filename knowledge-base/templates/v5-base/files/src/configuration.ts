import { getValidator, Type } from '@feathersjs/typebox';
import type { Static } from '@feathersjs/typebox';
import { dataValidator } from './validators.js';

// What config/*.json must hold. It is checked when the application starts.
export const configurationSchema = Type.Object(
  {
    host: Type.String(),
    port: Type.Integer({ minimum: 0, maximum: 65535 }),
    origins: Type.Array(Type.String()),
    paginate: Type.Object({
      default: Type.Integer({ minimum: 1 }),
      max: Type.Integer({ minimum: 1 }),
    }),
    // <<settings>>
  },
  { $id: 'Configuration' },
);

export type ApplicationConfiguration = Static<typeof configurationSchema>;

export const configurationValidator = getValidator(configurationSchema, dataValidator);
