/** Calls a tool in the name of a person or an agent of the company. */
export type CallAs = (
  actor: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

/** People and agents of the company. */
export const lead = 'mara';
export const engineer = 'jonas';
export const buyer = 'priya';
export const supportAgent = 'agent-support';
export const codingAgent = 'agent-code';
