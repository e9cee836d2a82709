// Removes from a component what this page does not offer: the other branch of `{#if __ALONE__}` and
// `{#if !__ALONE__}`. Svelte's compiler would keep both, because it cannot know the condition.

import { type AST, parse, type PreprocessorGroup } from 'svelte/compiler';

/** A piece of the source to remove. */
type Cut = readonly [start: number, end: number];

export const offered = (alone: boolean): PreprocessorGroup => ({
  name: 'rage-offered',
  markup({ content, filename = '' }) {
    if (!/\{#if !?__ALONE__\}/.test(content)) return { code: content };
    let code = content;
    const { fragment } = parse(content, { modern: true, filename });
    for (const [start, end] of cuts(fragment, alone).sort(([one], [other]) => other - one))
      code = code.slice(0, start) + code.slice(end);
    return { code };
  },
});

function cuts(node: unknown, alone: boolean): Cut[] {
  if (typeof node !== 'object' || node === null) return [];
  const kept = isBlock(node) ? keptBranch(node, alone) : undefined;
  if (kept === undefined) return Object.values(node).flatMap((each) => cuts(each, alone));
  const { start, end } = node as AST.IfBlock;
  const [first, last] = [kept?.nodes[0], kept?.nodes.at(-1)];
  if (!first || !last) return [[start, end]];
  return [[start, first.start], ...cuts(kept, alone), [last.end, end]];
}

const isBlock = (node: object): node is AST.IfBlock => 'type' in node && node.type === 'IfBlock';

/** The branch of a block that stays: null for none; undefined if its condition is another. */
function keptBranch(block: AST.IfBlock, alone: boolean): AST.Fragment | null | undefined {
  const { test, consequent, alternate } = block;
  const not = test.type === 'UnaryExpression' && test.operator === '!';
  const name = not ? test.argument : test;
  if (name.type !== 'Identifier' || name.name !== '__ALONE__') return undefined;
  return alone !== not ? consequent : alternate;
}
