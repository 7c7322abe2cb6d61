import { expect, test } from 'vitest';
import { countShared } from './proposals-about.ts';

const deployRules = [
  '本番環境のデプロイは金曜日の午後に禁止',
  '周五下午禁止部署到生产环境。',
  'Freitags wird nach 15 Uhr nicht mehr auf die Produktion ausgeliefert.',
  'Never deploy to production on Friday afternoons.',
];

test.each([
  ['金曜日のデプロイ', 0],
  ['本番へデプロイしてもいいですか', 0],
  ['周五可以部署吗', 1],
  ['Dürfen wir am Freitag auf die Produktion ausliefern?', 2],
  ['Auslieferungen auf die Produktion am Freitag planen', 2],
  ['deploying on a friday', 3],
])('%s is about the rule %i', (task, rule) => {
  expect(countShared(task, deployRules[rule]!)).toBeGreaterThan(0);
});

test.each([
  ['金曜日のデプロイ', '金曜日に会議室を予約することは必ず総務に伝える'],
  ['テストを書いてください', 'ログを消さないでください'],
  ['Die Rechnung der Kundin und das Angebot prüfen', 'Die Namen der Tabellen und das Schema sind immer englisch.'],
  ['write the tests of the parser', 'Never deploy to production on Friday afternoons.'],
  ['', 'Never deploy.'],
])('%j is not about %j', (task, text) => {
  expect(countShared(task, text)).toBe(0);
});
