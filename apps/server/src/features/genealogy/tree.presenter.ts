/** Trees as they travel. */
import type { TreeMember, TreeNode, TreePath, TreeSearch } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { avatarUrl } from '../../core/avatar.ts'
import { fullName, nodeId, nodeName } from './genealogy.rules.ts'
import type { Found, PlacedNode, Sheet } from './tree.queries.ts'

function presentNode(node: PlacedNode, isTop: boolean, publicUrl: string): TreeNode {
  return {
    id: nodeId(node.id),
    parentId: isTop || node.above === null ? '' : nodeId(node.above),
    username: node.username,
    name: nodeName(node.first_name),
    imageUrl: avatarUrl(publicUrl, node),
    plan_name: formatAmount(node.principal),
    is_master_code: node.is_master,
    children_count: node.children,
    depth: node.depth,
    leg: node.leg === 'L' || node.leg === 'R' ? node.leg : null,
  }
}

/** @param topId who is at the top of what is shown: nobody learns who stands above */
export function presentNodes(nodes: readonly PlacedNode[], topId: bigint | null, publicUrl: string) {
  return nodes.map((node) => presentNode(node, node.id === topId, publicUrl))
}

export function presentPath(
  { nodes, skipped }: { nodes: readonly PlacedNode[]; skipped: number },
  publicUrl: string,
): TreePath {
  return { nodes: presentNodes(nodes, nodes[0]?.id ?? null, publicUrl), skipped }
}

export function presentSearch({ found, more }: { found: readonly Found[]; more: boolean }): TreeSearch {
  const results = found.map(({ node, way }) => ({
    id: nodeId(node.id),
    username: node.username,
    name: fullName(node),
    depth: way.ids.length - 1 + way.skipped,
    path: way.ids.map(nodeId),
    path_skipped: way.skipped,
  }))
  return { results, more }
}

export function presentSheet(sheet: Sheet, publicUrl: string): TreeMember {
  const { node } = sheet
  return {
    id: nodeId(node.id),
    username: node.username,
    name: fullName(node),
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
