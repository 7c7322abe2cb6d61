import { buyer, type CallAs, codingAgent, engineer, lead, supportAgent } from './demo-cast.ts';

const common = { audience: 'all', categories: ['ways-of-working'] } as const;

const rules = [
  {
    id: 'deploy-window',
    title: 'Deploy the shop before noon',
    body: 'Deploy the web shop on working days, before 12:00.\n\nLater there are too few people to roll back.',
    priority: 10,
    requirement: 'mandatory',
    owner: lead,
    categories: ['operations'],
    appliesTo: { tasks: ['deploy', 'release', 'rollback'] },
  },
  {
    id: 'refunds-need-two',
    title: 'A refund above 200 EUR needs a second person',
    body: 'Ask a second person before you refund more than 200 EUR.\n\n- Write the name of that person into the ticket.\n- Never split a refund.',
    priority: 15,
    requirement: 'mandatory',
    owner: buyer,
    categories: ['finance', 'support'],
    appliesTo: { tasks: ['refund', 'complaint', 'chargeback'] },
  },
  {
    id: 'no-names-in-logs',
    title: 'No names or addresses of customers in logs',
    body: 'Log the customer number, never a name, an address or an e-mail address.',
    priority: 5,
    requirement: 'critical',
    owner: lead,
    categories: ['privacy'],
    appliesTo: { files: ['src/**', 'services/**'] },
  },
  {
    id: 'reversible-migrations',
    title: 'Every migration can be undone',
    body: 'Write the way back in the same change. Add a column first, fill it later, and make it required last.',
    priority: 30,
    requirement: 'recommended',
    owner: engineer,
    categories: ['database'],
    appliesTo: { files: ['migrations/**'] },
  },
  {
    id: 'answer-within-a-day',
    title: 'Customers get an answer within one working day',
    body: 'Answer within one working day, even if the answer is only: we are looking into it.',
    priority: 40,
    requirement: 'recommended',
    owner: buyer,
    categories: ['support'],
    appliesTo: { tasks: ['customer', 'ticket', 'mail'] },
  },
  {
    id: 'british-english',
    title: 'Write British English',
    body: 'Texts for customers are in British English: colour, centre, tyre.',
    priority: 70,
    requirement: 'optional',
    owner: buyer,
    categories: ['writing'],
    appliesTo: { always: true },
  },
  {
    id: 'small-changes',
    title: 'Keep a change small enough to read in ten minutes',
    body: 'Split a change that takes longer than ten minutes to read.',
    priority: 60,
    requirement: 'recommended',
    owner: engineer,
    categories: ['code'],
    appliesTo: { tasks: ['review', 'refactor', 'implement'] },
  },
  {
    id: 'fax-orders',
    title: 'Type in orders that arrive by fax',
    body: 'Type in orders that arrive by fax on the same day.',
    priority: 80,
    requirement: 'optional',
    owner: buyer,
    categories: ['support'],
  },
];

export async function fillRules(as: CallAs): Promise<void> {
  for (const entry of rules) await as(lead, 'instructions/add', { entry: { ...common, ...entry } });
  const [deploy] = rules;
  const later = (body: string) => ({ entry: { ...common, ...deploy, body }, overwrite: true });
  await as(
    lead,
    'instructions/add',
    later('Deploy the web shop from Monday to Thursday, before 12:00.\n\nA rollback would take until Saturday.'),
  );
  await as(
    engineer,
    'instructions/add',
    later(
      'Deploy the web shop from Monday to Thursday, before 15:00, and only after the smoke test.\n\nA rollback would take until Saturday.',
    ),
  );
  await as(lead, 'instructions/remove', { ids: ['fax-orders'] });
  const approved = await as(supportAgent, 'instructions/propose', {
    entry: {
      ...common,
      id: 'order-number-first',
      title: 'Ask for the order number first',
      body: 'Ask for the order number before anything else.',
      priority: 50,
      requirement: 'recommended',
      categories: ['support'],
      appliesTo: { tasks: ['ticket', 'complaint'] },
    },
    reason: 'Four of five tickets needed a second mail.',
  });
  await as(lead, 'instructions/approve', { proposal_id: approved['proposal_id'], reason: 'Saves time' });
  const rejected = await as(codingAgent, 'instructions/propose', {
    entry: {
      ...common,
      id: 'skip-tests-on-friday',
      title: 'Tests may be skipped on Fridays',
      body: 'Skip the slow tests on Fridays.',
      requirement: 'optional',
      priority: 90,
    },
    reason: 'The queue is long on Fridays.',
  });
  await as(lead, 'instructions/reject', {
    proposal_id: rejected['proposal_id'],
    reason: 'We do not deploy on Fridays anyway.',
  });
  await as(supportAgent, 'instructions/propose', {
    entry: {
      id: 'refunds-need-two',
      title: 'A refund above 300 EUR needs a second person',
      body: 'Ask a second person before you refund more than 300 EUR.\n\n- Write the name of that person into the ticket.\n- Never split a refund.',
    },
    reason: 'Prices went up; most refunds now are between 200 and 300 EUR.',
  });
  await as(supportAgent, 'feedback/submit', {
    type: 'documentation',
    severity: 'low',
    title: 'Which refunds count?',
    description: 'The refund rule does not say whether shipping costs count towards the limit.',
    tags: ['refunds'],
  });
}

/** A later version of a rule, after agents have used the first one. */
export const changeRule = (as: CallAs): ReturnType<CallAs> =>
  as(lead, 'instructions/add', {
    entry: {
      ...common,
      ...rules[3],
      body: 'Write the way back in the same change, and try it once on a copy of the store.',
    },
    overwrite: true,
  });
