/** OpenAPI 3.1, generated from the schemas that check the calls, and a page to read it. */

import { problem } from '@aval/contract'
import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Api } from './api.ts'
import { DOCS_STYLE, docsPage } from './docs-page.ts'
import { inlineHash, pagePolicy } from './policy.ts'

const PREFIX = '/api/docs'

const REFUSED = {
  description:
    'Refused: one sentence in the language of the request, or a problem document (RFC 9457) for clients that accept it.',
  content: {
    'application/json': { schema: { type: 'string' } },
    'application/problem+json': { schema: z.toJSONSchema(problem) },
  },
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Answers a repeated call with its first answer.',
  schema: { type: 'string', maxLength: 200 },
}

interface Operation {
  security?: unknown[]
  responses?: Record<string, unknown>
  parameters?: unknown[]
}

/** What every call has in common and no schema repeats: how it refuses. */
function complete(document: { paths?: Record<string, unknown> }): void {
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(path as Record<string, Operation>)) {
      operation.responses = { ...operation.responses, default: REFUSED }
      if (method === 'post' && operation.security?.length)
        operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY]
    }
  }
}

/** Registered before the routes: it collects them as they come. */
export async function describeCalls(app: Api, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Aval',
        version: '1',
        description: 'Amounts are decimal strings in USDT; dates are UTC.',
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input)
      const { access } = input.route.config ?? {}
      const hide = !url.startsWith('/api/') || url.startsWith(PREFIX)
      const security = access === 'public' || access === undefined ? [] : [{ bearer: [] }]
      return { schema: { ...schema, hide, security }, url: url.endsWith('/') ? url : `${url}/` }
    },
  })
  let text: string | null = null
  const document = () => {
    if (text === null) {
      const described = app.swagger() as { paths?: Record<string, unknown> }
      complete(described)
      text = JSON.stringify(described)
    }
    return text
  }
  app.get(`${PREFIX}/openapi.json`, (_request, reply) => {
    reply.type('application/json; charset=utf-8').send(document())
  })
  const helmet = { contentSecurityPolicy: pagePolicy(config.publicUrl, { styles: [inlineHash(DOCS_STYLE)] }) }
  app.get(PREFIX, { helmet }, (_request, reply) => {
    reply.type('text/html; charset=utf-8').send(docsPage(JSON.parse(document())))
  })
}
