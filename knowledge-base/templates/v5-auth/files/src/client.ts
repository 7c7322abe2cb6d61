import authenticationClient from '@feathersjs/authentication-client';

// <<configure>>
client.configure(authenticationClient());
