/** House rules that need the syntax tree: how long a function is. Where text stands in JSX: `jsx.ts`. */
import { parseSync } from '@swc/core'
import type { Source } from './sources.ts'

const maxLines = 70

const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'MethodProperty',
  'Constructor',
])

export type Node = Readonly<Record<string, unknown>>
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns with which line a place of the tree is in */
export function parse({ path, text }: Source): { tree: unknown; lineAt: (offset: unknown) => number } {
  const newlines = [...Buffer.from(text).entries()].filter(([, byte]) => byte === 10).map(([at]) => at)
  const tsx = path.endsWith('.tsx')
  const tree: unknown = parseSync(text, { syntax: 'typescript', tsx, decorators: false, target: 'es2024' })
  // swc counts bytes from one.
  return { tree, lineAt: (offset) => newlines.filter((at) => at < Number(offset) - 1).length + 1 }
}

/** Functions longer than a screen. A group of tests, and a browser journey in its steps, is a list, not a function. */
export function longFunctions({ path, text }: Source): string[] {
  if (text.split('\n').length <= maxLines) return []
  const { tree, lineAt } = parse({ path, text })
  const lists = path.endsWith('.e2e.ts') ? ['describe', 'test'] : ['describe']
  return [...functionsIn(tree, '', lists)].flatMap(({ name, span }) => {
    const [start, end] = [lineAt(span['start']), lineAt(span['end'])]
    const lines = end - start + 1
    return lines > maxLines ? [`${path}:${start} ${name || 'a function'} has ${lines} lines`] : []
  })
}

/** @param lists callees whose callback is not measured, but looked into */
function* functionsIn(
  value: unknown,
  name: string,
  lists: readonly string[],
): Generator<{ readonly name: string; readonly span: Node }> {
  if (Array.isArray(value)) for (const item of value) yield* functionsIn(item, name, lists)
  else if (isNode(value)) {
    const own = nameOf(value) ?? name
    const span = value['span']
    if (functionTypes.has(String(value['type'])) && isNode(span)) yield { name: own, span }
    const inside = isList(value, lists) ? bodiesOf(value) : Object.values(value)
    for (const child of inside) yield* functionsIn(child, own, lists)
  }
}

/** The arguments of a call; of functions among them what they do. */
function bodiesOf(call: Node): unknown[] {
  return asList(call['arguments']).map((argument) => {
    const inner = isNode(argument) ? argument['expression'] : null
    return isNode(inner) && functionTypes.has(String(inner['type'])) ? inner['body'] : inner
  })
}

function isList(node: Node, lists: readonly string[]): boolean {
  if (node['type'] !== 'CallExpression') return false
  let callee = node['callee']
  while (isNode(callee) && callee['type'] !== 'Identifier') callee = callee['object'] ?? callee['callee']
  return isNode(callee) && lists.includes(String(callee['value']))
}

function nameOf(node: Node): string | null {
  const id = node['identifier'] ?? node['id'] ?? node['key']
  return isNode(id) && typeof id['value'] === 'string' ? id['value'] : null
}
