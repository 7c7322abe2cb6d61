// Writes the vectors of the topics, after a change of src/domains/instructions/rules/topics.json or of the model.
import { hashTopics, toTopicTexts } from '../src/domains/instructions/rules/near-topics.ts';
import { topics } from '../src/domains/instructions/rules/topics.ts';
import { writeSummedVectors } from './write-summed-vectors.ts';

await writeSummedVectors(topics.map(toTopicTexts), hashTopics(topics), {
  source: 'topics.json',
  script: 'embed-topics.ts',
  each: 'topic',
  name: 'topicVectors',
  file: '../src/domains/instructions/rules/topic-vectors.ts',
});
