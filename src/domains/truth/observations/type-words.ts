import { typePattern } from '../truth-vocabulary.ts';
import { editDistance } from './compare-names.ts';
import { stripAccents } from './fold-name.ts';

const irregular: Readonly<Record<string, string>> = {
  ...{ people: 'person', men: 'man', women: 'woman', children: 'child', staff: 'staff', feet: 'foot', mice: 'mouse' },
  ...{
    movies: 'movie',
    cookies: 'cookie',
    ties: 'tie',
    pies: 'pie',
    lies: 'lie',
    zombies: 'zombie',
    calories: 'calorie',
  },
  ...{ criteria: 'criterion', phenomena: 'phenomenon', indices: 'index', matrices: 'matrix', appendices: 'appendix' },
  ...{
    knives: 'knife',
    lives: 'life',
    wives: 'wife',
    shelves: 'shelf',
    leaves: 'leaf',
    halves: 'half',
    selves: 'self',
  },
  ...{ quizzes: 'quiz', buses: 'bus', gases: 'gas', aliases: 'alias' },
  ...{ caches: 'cache', databases: 'database', heroes: 'hero', potatoes: 'potato', shoes: 'shoe', axes: 'axis' },
};

/** Words that end like a plural and are none, or have no other form. */
const unchanged: ReadonlySet<string> = new Set([
  ...['news', 'series', 'species', 'means', 'goods', 'headquarters', 'logistics', 'analytics', 'economics'],
  ...[
    'lens',
    'canvas',
    'atlas',
    'gas',
    'bus',
    'alias',
    'bias',
    'chaos',
    'ethos',
    'gps',
    'sms',
    'pos',
    'os',
    'dns',
    'aws',
  ],
  ...['christmas', 'texas', 'kudos', 'mathematics', 'physics', 'politics', 'ethics', 'statistics', 'athletics', 'data'],
  ...[
    'always',
    'perhaps',
    'yes',
    'this',
    'is',
    'was',
    'has',
    'as',
    'its',
    'us',
    'plus',
    'minus',
    'versus',
    'https',
    'saas',
  ],
]);

/** `addresses` → `address`, `analyses` → `analysis`; `status` and `address` stay. */
function singularOf(word: string): string {
  if (Object.hasOwn(irregular, word)) return irregular[word]!;
  if (unchanged.has(word) || word.length < 4 || !word.endsWith('s') || /(?:ss|us|is|'s)$/.test(word)) return word;
  if (/(?:analy|the|cri|diagno|synop|hypothe|synthe|empha|parenthe)ses$/.test(word)) return word.replace(/es$/, 'is');
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|zz|(?:at|vir|on|mp|ns)us)es$/.test(word)) return word.replace(/es$/, '');
  return word.slice(0, -1);
}

/** `Sales Orders`, `salesOrder` and `sales-orders` → `sales_order`. Undefined if nothing is left. */
export function normaliseType(word: string): string | undefined {
  const words = stripAccents(
    word
      .normalize('NFKC')
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .toLowerCase(),
  )
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');
  const last = words.pop();
  if (last === undefined) return undefined;
  const type = [...words, singularOf(last)].join('_');
  return typePattern.test(type) ? type : undefined;
}

/** Shorter words differ too much by one letter. */
const oneEditCharsMin = 4;
const twoEditsCharsMin = 8;
const nearTypesCount = 3;

/** [TR65] Known types that were probably meant: the closest first. */
export function nearTypes(word: string, known: Iterable<string>): readonly string[] {
  const type = normaliseType(word) ?? '';
  const max = type.length < oneEditCharsMin ? 0 : type.length < twoEditsCharsMin ? 1 : 2;
  return [...new Set(known)]
    .map((other) => ({ other, distance: editDistance(type, other, max) }))
    .filter(({ other, distance }) => other !== word && distance <= max)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, nearTypesCount)
    .map(({ other }) => other);
}
