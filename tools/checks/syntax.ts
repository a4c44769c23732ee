/** House rules that need the syntax tree: how long a function is. */
import { parseSync } from '@swc/core'
import type { Source } from './sources.ts'

const maxLines = 70

interface Search {
  readonly found: Found[]
  /** Callees whose callback is not measured. */
  readonly lists: readonly string[]
}

interface Found {
  readonly name: string
  readonly start: number
  readonly end: number
}

const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'PrivateMethod',
  'MethodProperty',
  'Constructor',
])

/** Functions longer than a screen. A group of tests, and a browser journey in its steps, is a list, not a function. */
export function longFunctions({ path, text }: Source): string[] {
  const tsx = path.endsWith('.tsx')
  const tree: unknown = parseSync(text, { syntax: 'typescript', tsx, decorators: false, target: 'es2024' })
  const found: Found[] = []
  collect(tree, '', { found, lists: path.endsWith('.e2e.ts') ? ['describe', 'test'] : ['describe'] })
  const bytes = Buffer.from(text)
  const lineAt = (offset: number) => bytes.subarray(0, offset - 1).filter((byte) => byte === 10).length + 1
  return found.flatMap(({ name, start, end }) => {
    const lines = lineAt(end) - lineAt(start) + 1
    return lines > maxLines ? [`${path}:${lineAt(start)} ${name || 'a function'} has ${lines} lines`] : []
  })
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

function collect(value: unknown, name: string, search: Search): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, name, search)
    return
  }
  if (!isNode(value)) return
  const own = nameOf(value) ?? name
  const span = value['span']
  if (functionTypes.has(String(value['type'])) && isNode(span)) {
    // swc counts bytes from one.
    search.found.push({ name: own, start: Number(span['start']), end: Number(span['end']) })
  }
  if (isList(value, search.lists)) {
    // The callback of a group is looked into, but not measured.
    for (const argument of asList(value['arguments'])) collectInside(argument, search)
    return
  }
  for (const child of Object.values(value)) collect(child, own, search)
}

function collectInside(argument: unknown, search: Search): void {
  const inner = isNode(argument) ? argument['expression'] : null
  if (isNode(inner) && functionTypes.has(String(inner['type']))) collect(inner['body'], '', search)
  else collect(inner, '', search)
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

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
