import configuration from '@feathersjs/configuration';

// What the command line of Knex reads: the database of config/*.json.
export default { ...configuration()().sqlite };
