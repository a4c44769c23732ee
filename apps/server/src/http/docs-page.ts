/** A readable page of the OpenAPI document, without scripts: what the policy of our pages allows. */

interface Described {
  info: { title: string; description?: string }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>
}

/** Its hash is in the page's policy. */
export const DOCS_STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;border:1px solid #8885;border-radius:.5rem}
summary{cursor:pointer;padding:.35rem 0}summary b{display:inline-block;min-width:4rem}small{opacity:.7}`

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
const code = (value: unknown) => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`

function schemas(content: Record<string, { schema?: unknown }> | undefined): string {
  return Object.entries(content ?? {})
    .map(([type, { schema }]) => `<small>${escaped(type)}</small>${code(schema)}`)
    .join('')
}

function parametersOf(operation: Operation): string {
  const list = operation.parameters ?? []
  if (list.length === 0) return ''
  const items = list.map(
    (item) =>
      `<li><code>${escaped(item.name)}</code> <small>${escaped(item.in)}${item.required ? ', required' : ''}</small></li>`,
  )
  return `<h4>Parameters</h4><ul>${items.join('')}</ul>`
}

function operationHtml(path: string, method: string, operation: Operation): string {
  const open = operation.security?.length ? '' : ' <small>public</small>'
  const body = operation.requestBody ? `<h4>Body</h4>${schemas(operation.requestBody.content)}` : ''
  const answers = Object.entries(operation.responses ?? {})
    .filter(([status]) => status !== 'default')
    .map(([status, answer]) => `<h4>${escaped(status)}</h4>${schemas(answer.content)}`)
  const text = operation.description ?? operation.summary ?? ''
  return `<details><summary><b>${escaped(method.toUpperCase())}</b> <code>${escaped(path)}</code>${open}</summary>
<p>${escaped(text)}</p>${parametersOf(operation)}${body}${answers.join('')}</details>`
}

export function docsPage(document: Described): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationHtml(path, method, operation)),
  )
  const title = escaped(document.info.title)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · API</title><style>${DOCS_STYLE}</style><body><h1>${title}</h1>
<p>${escaped(document.info.description ?? '')} <a href="/api/docs/openapi.json">OpenAPI 3.1</a></p>
<p>Every refusal is one sentence as a JSON string, or a problem document (RFC 9457) with
<code>Accept: application/problem+json</code>. <code>Accept-Language</code> chooses <code>es</code> or <code>en</code>.</p>
${operations.join('\n')}</body></html>`
}
