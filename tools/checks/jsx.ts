/** A house rule about JSX: where text may stand. */

import type { Source } from './sources.ts'
import { asList, isNode, type Node, parse } from './syntax.ts'

const nodeTypes = /^(ReactNode|ReactElement|JSX)$/
/** Wrapped around an expression, it changes nothing. */
const wrappers = new Set(['ParenthesisExpression', 'TsAsExpression', 'TsNonNullExpression'])
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/**
 * Text beside something else. React keeps hold of such a text node, and a page that is translated has another one in its place: what
 * React then does to its own ends in an error, or in an old figure that stays. The text that an element has alone is written anew.
 */
export function bareTexts({ path, text }: Source): string[] {
  const { tree, lineAt } = parse({ path, text })
  // What an element is given: who gives it keeps this rule.
  const nodes = new Set(['children', ...nodesOf(tree)])
  const found = [...nodesIn(tree)].flatMap((node) => {
    if (node['type'] === 'JSXElement' || node['type'] === 'JSXFragment') return textsOf(node, nodes)
    return isComponent(node) ? returned(node['init'] ?? node).filter(isSurelyText) : []
  })
  return found.map(({ span }) => `${path}:${lineAt((span as Node)['start'])} has text beside something else`)
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item)
  else if (isNode(value)) {
    yield value
    for (const child of Object.values(value)) yield* nodesIn(child)
  }
}

function textsOf(element: Node, nodes: ReadonlySet<string>): Node[] {
  const children = asList(element['children']).filter(isShown)
  // What a fragment has stands beside whatever is around it.
  if (children.length < 2 && element['type'] === 'JSXElement') return []
  return children.filter((child) => isTextChild(child, nodes))
}

/** A function whose name begins with a capital. What it returns stands wherever it is used. */
function isComponent(node: Node): boolean {
  const name = node['identifier'] ?? node['id']
  const made = node['init'] ?? node
  return (
    isNode(name) &&
    /^[A-Z]/.test(String(name['value'])) &&
    isNode(made) &&
    functions.has(String(made['type']))
  )
}

/** What a function returns, by whichever way through it. */
function returned(value: unknown, isInside = false): Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => returned(item, isInside))
  if (!isNode(value) || (isInside && functions.has(String(value['type'])))) return []
  if (value['type'] === 'ReturnStatement') return isNode(value['argument']) ? [value['argument']] : []
  const body = value['body']
  // An arrow may have nothing but what it returns.
  if (!isInside && isNode(body) && body['type'] !== 'FunctionBody') return [body]
  return Object.values(value).flatMap((child) => returned(child, true))
}

/** What is said, by its form or by what says it. */
function isSurelyText(value: unknown): value is Node {
  if (!isNode(value)) return false
  const type = String(value['type'])
  const any = (...names: string[]) => names.some((name) => isSurelyText(value[name]))
  if (wrappers.has(type)) return any('expression')
  if (type === 'ConditionalExpression') return any('consequent', 'alternate')
  if (type !== 'CallExpression') return /^(TemplateLiteral|StringLiteral)$/.test(type)
  const callee = value['callee']
  if (!isNode(callee)) return false
  const [object, property] = [callee['object'], callee['property']]
  if (isNode(object) && object['value'] === 'formats') return true
  return isNode(property) ? property['value'] === 'join' : /^(t|say\w*)$/.test(String(callee['value']))
}

/** Blank lines and comments are not there for React; a single space is. */
function isShown(child: unknown): child is Node {
  if (!isNode(child)) return false
  if (child['type'] === 'JSXText') return !/^\s*\n\s*$/.test(String(child['value']))
  const inside = child['expression']
  return !(isNode(inside) && inside['type'] === 'JSXEmptyExpression')
}

function isTextChild(child: Node, nodes: ReadonlySet<string>): boolean {
  // Nobody translates a space.
  if (child['type'] === 'JSXText') return /\S/.test(String(child['value']))
  return child['type'] === 'JSXExpressionContainer' && isText(child['expression'], nodes)
}

/** Whether an expression may be a text: all that is not known to be an element, or nothing. */
function isText(value: unknown, nodes: ReadonlySet<string>): boolean {
  if (!isNode(value)) return false
  const either = (...names: string[]) => names.some((name) => isText(value[name], nodes))
  const type = String(value['type'])
  if (wrappers.has(type)) return either('expression')
  if (type === 'ConditionalExpression') return either('consequent', 'alternate')
  // `a ?? <b/>`: where the other is an element, so is the first.
  if (type === 'BinaryExpression') return either('right')
  if (type === 'StringLiteral') return /\S/.test(String(value['value']))
  if (type === 'Identifier') return value['value'] !== 'undefined' && !nodes.has(String(value['value']))
  if (type === 'MemberExpression') return either('property') && either('object')
  if (type === 'CallExpression') return !isMapped(value) && either('callee')
  return !/^JSX|^NullLiteral$|^BooleanLiteral$/.test(type)
}

/** A list that was made one by one: of elements, here. */
function isMapped({ callee }: Node): boolean {
  const property = isNode(callee) ? callee['property'] : null
  return isNode(property) && /^(map|flatMap)$/.test(String(property['value']))
}

/** What this file says to be, to hold or to make elements: by its type, or by what it is made of. */
function* nodesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item)
  else if (isNode(value)) {
    const name = value['type'] === 'Identifier' ? value : (value['key'] ?? value['id'] ?? value['identifier'])
    if (isNode(name) && (namesNode(value['typeAnnotation']) || makesElements(value['init'] ?? value)))
      yield String(name['value'])
    for (const child of Object.values(value)) yield* nodesOf(child)
  }
}

/** Whether a type has to do with elements. */
function namesNode(type: unknown): boolean {
  if (Array.isArray(type)) return type.some(namesNode)
  if (!isNode(type)) return false
  return (
    (type['type'] === 'Identifier' && nodeTypes.test(String(type['value']))) ||
    Object.values(type).some(namesNode)
  )
}

/** An element, a choice or a list of them, or a function that returns one. */
function makesElements(value: unknown): boolean {
  if (!isNode(value)) return false
  const type = String(value['type'])
  if (wrappers.has(type)) return makesElements(value['expression'])
  if (/^JSX(Element|Fragment)$/.test(type)) return true
  if (type === 'ConditionalExpression')
    return makesElements(value['consequent']) || makesElements(value['alternate'])
  if (type === 'CallExpression') return isMapped(value)
  if (functions.has(type)) return makesElements(value['body'])
  if (type === 'FunctionBody') return asList(value['stmts']).some(makesElements)
  return type === 'ReturnStatement' && makesElements(value['argument'])
}
