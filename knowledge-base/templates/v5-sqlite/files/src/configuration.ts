import { Type } from '@feathersjs/typebox';

// <<settings>>
sqlite: Type.Object({
  client: Type.Literal('better-sqlite3'),
  connection: Type.String({ description: 'The file of the database' }),
  useNullAsDefault: Type.Literal(true),
}),
