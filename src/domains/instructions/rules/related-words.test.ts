import { describe, expect, it } from 'vitest';
import { relatedWordsIn } from './related-words.ts';

describe('[IN50] related words', () => {
  it('gives the other words of a topic, whatever the form of the word', () => {
    expect(relatedWordsIn('deploying')('deploying')).toEqual(expect.arrayContaining(['release', 'production']));
    expect(relatedWordsIn('deploying')('banana')).toEqual([]);
  });

  it('knows phrases, and needs all of their words', () => {
    expect(relatedWordsIn('rolled out on Friday')('rolled')).toContain('deployment');
    expect(relatedWordsIn('roll the dice')('roll')).not.toContain('deployment');
    expect(relatedWordsIn('I am on call')('call')).toContain('incident');
    expect(relatedWordsIn('call me')('call')).not.toContain('incident');
  });
});
