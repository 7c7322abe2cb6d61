import { keywordObjectId } from '@feathersjs/mongodb';

// <<keywords>>

dataValidator.addKeyword(keywordObjectId);
queryValidator.addKeyword(keywordObjectId);
