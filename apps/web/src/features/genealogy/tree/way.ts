import type { TreeNode } from '@aval/contract'

/**
 * From whom on to show the network, so that the last node of a way can be seen although the way does not connect with what is
 * loaded: from the top where only a part is shown now, and otherwise from below the gap in a way too long to be sent whole.
 */
export function rootFor(way: readonly TreeNode[], shownFrom: string | null): string | null {
  if (shownFrom !== null) return null
  const below = way.findIndex((node, at) => at > 0 && node.parentId !== way[at - 1]?.id)
  return way[below]?.id ?? way.at(-1)?.id ?? null
}
