import { expect, test } from 'vitest';
import { cardFixture } from './card.fixture.ts';
import { parse } from './parsed.ts';
import { allowedMarkers, findAllowanceViolations, findMarkers } from './plain-english.ts';
import {
  cardTexts,
  commentsOf,
  isProgramFile,
  logLinesOf,
  markdownTexts,
  parseCode,
  readDocs,
  shownTextsOf,
  titlesOf,
} from './prose.ts';
import { loadCards } from './toolsets.ts';

/** This policy has to spell the words that it looks for. */
const code = parseCode().filter(({ path }) => !path.startsWith('tests/policy/plain-english'));
const program = code.filter(isProgramFile);

test('comments and test titles use plain English', () => {
  const prose = [...code.flatMap(commentsOf), ...code.flatMap(titlesOf)];
  expect(prose.length).toBeGreaterThan(1_000);
  expect(allowedMarkers).toBeLessThanOrEqual(20);
  expect(findAllowanceViolations(findMarkers(prose), allowedMarkers)).toEqual([]);
});

test('log lines and the texts of faults, settings, commands and checks use plain English', () => {
  const prose = [...program.flatMap(logLinesOf), ...program.flatMap(shownTextsOf)];
  expect(prose.length).toBeGreaterThan(500);
  expect(findMarkers(prose)).toEqual([]);
});

test('what clients show of the tools uses plain English', async () => {
  expect(findMarkers((await loadCards()).flatMap(cardTexts))).toEqual([]);
});

test('the documentation uses plain English', () => {
  expect(findMarkers(readDocs().flatMap(markdownTexts))).toEqual([]);
});

const source = (text: string) => parse({ path: 'src/a.ts', text });

test.for([
  'nobody reads it',
  'Whoever asks is told',
  'it stands beside the door',
  'this is no tool',
  'there are no tools',
  'two rooms at once',
  '500 cells, as many as may be',
])('finds a marker in: %s', (text) => {
  expect(findMarkers([{ at: 'a', text }]).length).toBeGreaterThan(0);
});

test.for(['it is no longer used', 'they are no longer used', 'besides', 'the doorman', 'is not', 'standstill'])(
  'finds no marker in: %s',
  (text) => {
    expect(findMarkers([{ at: 'a', text }])).toEqual([]);
  },
);

test('reads comments across lines, and titles with their tables', () => {
  expect(findMarkers(commentsOf(source('// this is\n// no tool\nconst a = 1; /* room */')))).toEqual([
    'src/a.ts:1 "is no" in: this is no tool',
    'src/a.ts:3 "room" in: room',
  ]);
  const titles = source("describe('a door', () => { it.each(rows)(`tells`, f); }); test.for(x)('anew %s', f);");
  expect(titlesOf(titles).map(({ text }) => text)).toEqual(['a door', 'tells', 'anew %s']);
  expect(titlesOf(source("say('a door')"))).toEqual([]);
});

test('reads log lines and texts that users see, and no other strings', () => {
  const text = "deps.log.warn({ a: 'room' }, ok ? 'a door' : `rooms`); other.warn({}, 'desk');";
  expect(logLinesOf(source(text)).map((prose) => prose.text)).toEqual(['a door', 'rooms']);
  const shown = source("const a = { fix: 'a', say: ({ x }) => `b` + x, id: 'c' }; throw padFaults.LOST({ why: 'd' });");
  expect(shownTextsOf(shown).map((prose) => prose.text)).toEqual(['a', 'b', 'd']);
});

test('reads descriptions of fields, and Markdown outside code', () => {
  const card = cardFixture({ inputSchema: { properties: { id: { description: 'the door' } } } });
  expect(findMarkers(cardTexts(card))).toEqual(['pads/keepOne "door" in: the door']);
  const docs = markdownTexts({ path: 'docs/a.md', text: 'a `door`\n```\ndoor\n```\na door\n' });
  expect(findMarkers(docs)).toEqual(['docs/a.md:5 "door" in: a door']);
});

test('an allowance only falls', () => {
  expect(findAllowanceViolations(['a', 'b'], 2)).toEqual([]);
  expect(findAllowanceViolations(['a', 'b'], 1)).toEqual(['a', 'b']);
  expect(findAllowanceViolations(['a'], 2)).toEqual(['lower allowedMarkers to 1']);
});
