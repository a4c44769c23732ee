/** A page to read and try the API: Swagger UI, served from here like everything else. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Api } from './api.ts'
import { pagePolicy } from './policy.ts'

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const pageAt = (prefix: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Aval · API</title>
<link rel="stylesheet" href="${prefix}/swagger-ui.css"><body><div id="ui"></div>
<script src="${prefix}/swagger-ui-bundle.js"></script><script src="${prefix}/start.js"></script></body></html>`

const startAt = (prefix: string) =>
  `SwaggerUIBundle({ url: '${prefix}/openapi.json', dom_id: '#ui', validatorUrl: null, deepLinking: true })`

/**
 * The policy of our pages but for Trusted Types, which Swagger UI does not know. It still runs no script but our own files,
 * and asks nobody else.
 */
function docsPolicy(publicUrl: string) {
  const { directives, ...policy } = pagePolicy(publicUrl)
  const { requireTrustedTypesFor: _, trustedTypes: __, ...own } = directives
  return { ...policy, directives: own }
}

export function serveDocs(app: Api, prefix: string, publicUrl: string): void {
  const { resolve } = createRequire(import.meta.url)
  const helmet = { contentSecurityPolicy: docsPolicy(publicUrl) }
  app.get(prefix, { helmet }, (_request, reply) => {
    reply.type('text/html; charset=utf-8').send(pageAt(prefix))
  })
  app.get(`${prefix}/start.js`, (_request, reply) => {
    reply.type('text/javascript; charset=utf-8').send(startAt(prefix))
  })
  for (const [name, type] of Object.entries(FILES))
    app.get(`${prefix}/${name}`, async (_request, reply) =>
      reply.type(type).send(await readFile(resolve(`swagger-ui-dist/${name}`))),
    )
}
