// <<indexes>>
await db.collection('users').createIndex({ email: 1 }, { unique: true });
await db.collection('users').createIndex({ oauthId: 1 }, { unique: true, sparse: true });
