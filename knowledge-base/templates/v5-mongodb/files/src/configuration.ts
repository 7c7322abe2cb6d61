import { Type } from '@feathersjs/typebox';

// <<settings>>
mongodb: Type.String({ description: 'mongodb://user:password@host:27017/database' }),
