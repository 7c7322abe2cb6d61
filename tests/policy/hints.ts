import { type Annotations, type Card, toAnnotations } from '#kernel/tool/card.ts';

/** Tools that write without an audit row, each with its reason. */
export const unaudited: Readonly<Record<string, string>> = {
  'backup/create': 'copies files; the store does not change',
  tools_call: 'the tool it calls leaves its own row',
  'instructions/dispatch': 'the action it calls leaves its own row',
  'instructions/batch': 'each action it calls leaves its own row',
  'usage/track': 'a counter, written on every use',
  'usage/flush': 'waits for writes and makes none',
  connectors_cancel: 'only marks a run; the sync itself ends it',
  instructions_import_files: 'the tools it calls leave their own rows',
  'instructions/importTexts': 'the tools it calls leave their own rows',
  instructions_seed: 'the tools it calls leave their own rows',
  instructions_reset: 'the tools it calls leave their own rows',
  instructions_snapshot: 'writes a file and nothing in the store',
  knowledge_new: 'writes files and nothing in the store',
  sync_provider_imports: 'starts a run; the items that it brings in leave their own rows',
  connectors_sync: 'the items that it brings in leave their own rows',
  memories_import: 'the tools it calls leave their own rows',
  notebooks_import: 'the tools it calls leave their own rows',
  plaid_create_link_token: 'Plaid makes the token, and nothing is stored',
  notebooks_recount: 'repairs counters',
};

function findInHints(card: Card, hints: Annotations): readonly string[] {
  const isRead = card.effect === 'read';
  const isDestructive = isRead ? undefined : card.effect !== 'create';
  return [
    ...(hints.readOnlyHint === isRead
      ? []
      : [`readOnlyHint is ${hints.readOnlyHint} and its effect is ${card.effect}`]),
    ...(hints.destructiveHint === isDestructive
      ? []
      : [`destructiveHint is ${hints.destructiveHint} and its effect is ${card.effect}`]),
  ];
}

function findInFacts(card: Card): readonly string[] {
  if (card.effect === 'read') {
    return [
      ...(card.idempotent ? [] : ['a read that is not idempotent']),
      ...(card.audit === 'row' ? ['a read that claims an audit row'] : []),
      ...(card.gated ? ['a read behind the mutation gate'] : []),
      ...(card.scope === 'write' ? ['a read that needs the scope write'] : []),
    ];
  }
  return [
    ...(card.audit === 'none' && !(card.name in unaudited)
      ? ['writes without an audit row, and no reason is given']
      : []),
    ...(card.scope === 'read' && !card.forwards ? ['writes with the scope read'] : []),
  ];
}

/** Hints, audit, scope and gate must match the declared effect. */
export const findHintViolations = (cards: readonly Card[], annotate = toAnnotations): readonly string[] =>
  cards.flatMap((card) =>
    [...findInHints(card, annotate(card)), ...findInFacts(card)].map((violation) => `${card.name}: ${violation}`),
  );
