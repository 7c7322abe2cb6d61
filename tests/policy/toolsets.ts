import { join } from 'node:path';
import { type Card, toCards } from '#kernel/tool/card.ts';
import type { Toolset } from '#kernel/tool/tool.ts';
import { readTree, root } from './tree.ts';

type AnyToolset = Toolset<never>;

const isToolset = (value: unknown): value is AnyToolset =>
  typeof value === 'object' && value !== null && 'tools' in value && 'faultForm' in value;

/** The toolsets that stand in the tree, found by their files and not by the list that the program uses. */
export async function loadToolsets(): Promise<readonly AnyToolset[]> {
  const paths = readTree('src/domains').filter(({ path }) => path.endsWith('toolset.ts'));
  const modules = await Promise.all(paths.map(({ path }) => import(join(root, path)) as Promise<object>));
  return modules.flatMap((module) => Object.values(module)).filter(isToolset);
}

export const loadCards = async (): Promise<readonly Card[]> =>
  (await loadToolsets()).flatMap((toolset) => toCards(toolset));
