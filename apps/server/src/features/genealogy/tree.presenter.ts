/** Trees as they travel. */
import type { Locale, TreeMember, TreeNode, TreePath, TreeSearch } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { avatarUrl } from '../../core/avatar.ts'
import { say } from '../../core/messages.ts'
import { fullName, nodeId, nodeName } from './genealogy.rules.ts'
import type { Found, PlacedNode, Sheet } from './tree.queries.ts'

/** What is shown of a tree, and to whom. */
interface Shown {
  readonly publicUrl: string
  readonly locale: Locale
}

/** The name of a member, or that the account is closed. */
const named = (node: { readonly closed: boolean }, name: string, locale: Locale): string =>
  node.closed ? say(locale, 'closed_account') : name

function presentNode(node: PlacedNode, isTop: boolean, { publicUrl, locale }: Shown): TreeNode {
  return {
    id: nodeId(node.id),
    parentId: isTop || node.above === null ? '' : nodeId(node.above),
    username: node.username,
    name: named(node, nodeName(node.first_name), locale),
    imageUrl: avatarUrl(publicUrl, node),
    plan_name: formatAmount(node.principal),
    is_master_code: node.is_master,
    children_count: node.children,
    depth: node.depth,
    leg: node.leg === 'L' || node.leg === 'R' ? node.leg : null,
  }
}

/** @param topId who is at the top of what is shown: nobody learns who stands above */
export function presentNodes(nodes: readonly PlacedNode[], topId: bigint | null, shown: Shown) {
  return nodes.map((node) => presentNode(node, node.id === topId, shown))
}

export function presentPath(
  { nodes, skipped }: { nodes: readonly PlacedNode[]; skipped: number },
  shown: Shown,
): TreePath {
  return { nodes: presentNodes(nodes, nodes[0]?.id ?? null, shown), skipped }
}

export function presentSearch(
  { found, more }: { found: readonly Found[]; more: boolean },
  locale: Locale,
): TreeSearch {
  const results = found.map(({ node, way }) => ({
    id: nodeId(node.id),
    username: node.username,
    name: named(node, fullName(node), locale),
    depth: way.ids.length - 1 + way.skipped,
    path: way.ids.map(nodeId),
    path_skipped: way.skipped,
  }))
  return { results, more }
}

export function presentSheet(sheet: Sheet, { publicUrl, locale }: Shown): TreeMember {
  const { node } = sheet
  return {
    id: nodeId(node.id),
    username: node.username,
    name: named(node, fullName(node), locale),
    imageUrl: avatarUrl(publicUrl, node),
    joined: sheet.joinedAt.toISOString(),
    active: node.principal > 0n,
    invested: formatAmount(node.principal),
    direct: sheet.direct,
    team: sheet.team,
    team_volume: formatAmount(sheet.volume),
    level: sheet.level,
    leg_volumes: { left: formatAmount(sheet.left), right: formatAmount(sheet.right) },
    is_master_code: node.is_master,
  }
}
