import { Type } from '@feathersjs/typebox';

// <<settings>>
authentication: Type.Object({
  // From FEATHERS_SECRET. See src/authentication-secret for where there is none.
  secret: Type.Optional(Type.String({ minLength: 32 })),
  entity: Type.String(),
  service: Type.String(),
  authStrategies: Type.Array(Type.String()),
  jwtOptions: Type.Object({ audience: Type.String(), expiresIn: Type.String() }),
  local: Type.Object({
    usernameField: Type.String(),
    passwordField: Type.String(),
    // How dear a guess is: each one more doubles it. 10 unless given.
    hashSize: Type.Optional(Type.Integer({ minimum: 4, maximum: 20 })),
  }),
  // { "redirect": "/", "github": { "key": "…", "secret": "…", "scope": ["user:email"] } }
  oauth: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}),
