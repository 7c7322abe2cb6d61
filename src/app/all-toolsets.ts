import { instructionsToolset } from '#domains/instructions/instructions-toolset.ts';
import { knowledgeToolset } from '#domains/knowledge/knowledge-toolset.ts';
import { notebooksToolset } from '#domains/notebooks/notebooks-toolset.ts';
import { probeToolset } from '#domains/probe/toolset.ts';
import { systemToolset } from '#domains/system/system-toolset.ts';
import { truthToolset } from '#domains/truth/truth-toolset.ts';
import { type Card, toCards } from '#kernel/tool/card.ts';

/** Every tool of the program, with its code: for generating and for tests. The running program reads the generated cards. */
export const allCards = (): readonly Card[] =>
  [systemToolset, instructionsToolset, knowledgeToolset, notebooksToolset, truthToolset, probeToolset].flatMap(
    (toolset) => toCards<never>(toolset),
  );
