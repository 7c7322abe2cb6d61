import { describe, expect, it } from 'vitest';
import { chooseKind, filesOf, withoutOpening } from './choose-kind.ts';

describe('the kind of a remembered text', () => {
  it.each([
    'always run the linter before you commit',
    'Never push to main on a Friday.',
    'from now on, write dates as 2026-05-01',
    "Don't use default exports",
    'We deploy on Fridays only after QA',
    'We always deploy on Tuesdays only after QA signed off',
    'I prefer tabs',
    'You must not log personal data.',
    'The build is red. Make sure that it is green first.',
    'Secrets must be stored in the vault',
    'Use pnpm, not npm, in this repo',
    'All API responses must include a request id',
    'Schreibe Commit-Nachrichten immer auf Englisch.',
    'Wir deployen freitags nie ohne Freigabe',
    'コミットメッセージは必ず英語で書くこと',
  ])('[CX10] is a rule: %s', (text) => expect(chooseKind(text, undefined)).toBe('rule'));

  it.each([
    'the cache bug came from a stale key in the session store',
    'I had never seen this error before today',
    'Anna called about the contract',
    'the only open question is the price',
    'We looked at three offers and chose the second',
    'I must call Anna tomorrow',
    'It must have been the cache',
    'Sarah kommt immer zu spät',
    'Kunde Müller möchte die Rechnung künftig per E-Mail bekommen.',
    '来週の火曜日に田中さんと打ち合わせがあります。',
    'the team used npm and not pnpm last year',
  ])('[CX10] is a note: %s', (text) => expect(chooseKind(text, undefined)).toBe('note'));

  // Written before the patterns that decide them.
  it.each([
    'Please reply in French whenever the customer writes in French',
    'Keep pull requests below 400 lines',
    'Customer names must not appear in log files',
    'Ask before you delete anything in the archive',
    'You should run the smoke tests after each deployment',
    'No meetings before ten, please',
    'Write changelog entries in the past tense',
    'Every invoice over 5000 needs a second signature',
    'Bitte antworte mir auf Deutsch',
    'Rechnungen dürfen nie ohne Freigabe verschickt werden',
    'Verwende in Tests keine echten Kundendaten',
    'Vor jedem Release muss die Dokumentation aktualisiert werden',
    '返信は日本語で書いてください',
    '本番のデータベースには直接接続しないこと',
    'レビューなしでマージしてはいけません',
    'Please answer in German',
    'In packages/api, never return stack traces in responses.',
    'Ask me first if a test has to be deleted',
  ])('[CX10] says what the reader or the team has to do: %s', (text) =>
    expect(chooseKind(text, undefined)).toBe('rule'),
  );

  it.each([
    'I always lose my umbrella on the train',
    'We usually have lunch at noon in the canteen',
    'My grandmother never ate meat on Fridays',
    'They always deliver on Thursdays between eight and ten',
    'The printer must be replaced next month',
    'The call with the bank should take about an hour',
    'Please note: the Berlin office moved to the third floor',
    'We never found out who broke the build',
    'Keep in mind that the lease ends in March',
    'Paul only answers when he is at his desk',
    'Ich vergesse immer, wo der Schlüssel für den Keller liegt',
    'Der Bus nach Kiel fährt immer zur vollen Stunde',
    'Am Montag muss der Drucker repariert werden',
    'Wir müssen am Dienstag noch das Angebot abschicken',
    '田中さんは必ず十時に来ます',
    'I always forget the wifi password is in the drawer',
    'Wir treffen uns immer montags',
    'The server must be restarted after the update on Monday',
    'Check the replica and restart the worker',
    'Ask Lena about the load test.',
    'Write down the numbers. Use the form. Show it to Ann. Put it on the shelf.',
  ])('[CX10] keeps a habit, a story or an errand as a note: %s', (text) =>
    expect(chooseKind(withoutOpening(text), undefined)).toBe('note'),
  );

  it.each([
    ['In packages/api, never return stack traces.', 'packages/api/**'],
    ['For `src/web/`, use hooks only.', 'src/web/**'],
    ['In **/*.css, never use !important', '**/*.css'],
    ['For Dockerfile.prod, pin the image', 'Dockerfile.prod'],
    ['In general, never push on Fridays', undefined],
    ['Never write to packages/api, ask first', undefined],
  ])('[CX10] the files of %s', (text, files) => expect(filesOf(text)).toBe(files));

  it('[CX10] is a fact if it is about something', () => expect(chooseKind('always pays late', 'Globex')).toBe('fact'));

  it('[CX11] loses only the words that ask to remember it', () => {
    expect(withoutOpening('Remember that we meet at nine')).toBe('we meet at nine');
    expect(withoutOpening('please remember: the key is under the mat')).toBe('the key is under the mat');
    expect(withoutOpening('Merke dir: Rechnungen an die Stadtwerke gehen per Post')).toMatch(/^Rechnungen an/);
    expect(withoutOpening('Bitte notiere: der Schlüssel hängt am Haken')).toMatch(/^der Schlüssel/);
    expect(withoutOpening('Merke dir, dass der Schlüssel am Haken hängt')).toMatch(/^Merke dir, dass/);
    expect(withoutOpening('remember')).toBe('remember');
    expect(withoutOpening('The remembered text stays.')).toBe('The remembered text stays.');
  });
});
