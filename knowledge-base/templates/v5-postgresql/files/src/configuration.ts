import { Type } from '@feathersjs/typebox';

// <<settings>>
postgresql: Type.Object({
  client: Type.Literal('pg'),
  connection: Type.String({ description: 'postgres://user:password@host:5432/database' }),
}),
