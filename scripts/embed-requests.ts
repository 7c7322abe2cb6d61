// Writes the vectors of everyday requests, after a change of src/domains/system/rules/everyday-requests.json or of the
// model.
import { hashRequests, requestGroups } from '../src/domains/system/rules/everyday-requests.ts';
import { writeSummedVectors } from './write-summed-vectors.ts';

await writeSummedVectors(requestGroups, hashRequests(requestGroups), {
  source: 'everyday-requests.json',
  script: 'embed-requests.ts',
  each: 'list of requests',
  name: 'requestVectors',
  file: '../src/domains/system/rules/request-vectors.ts',
});
