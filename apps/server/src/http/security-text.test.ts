import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { describe, expect, it } from 'vitest'
import { securityText } from './security-text.rules.ts'
import { serveSecurityText } from './security-text.ts'

const URL_OF_PRODUCT = 'https://aval.example'
const CONTACT = 'mailto:security@aval.example'

describe('security.txt', () => {
  it('says whom to tell, and is good for half a year from when it is read', () => {
    expect(securityText(CONTACT, URL_OF_PRODUCT, new Date('2026-01-01T00:00:00Z')).split('\n')).toEqual([
      `Contact: ${CONTACT}`,
      'Expires: 2026-06-30T00:00:00.000Z',
      'Preferred-Languages: es, en',
      `Canonical: ${URL_OF_PRODUCT}/.well-known/security.txt`,
      '',
    ])
  })

  it.each([
    [CONTACT, 200],
    [null, 404],
  ])('with the contact %j answers %i', async (securityContact, status) => {
    const app = Fastify().withTypeProvider<ZodTypeProvider>()
    serveSecurityText(app, { securityContact, publicUrl: URL_OF_PRODUCT })
    const answer = await app.inject({ url: '/.well-known/security.txt' })
    expect(answer.statusCode).toBe(status)
    expect(answer.body.includes('Contact:')).toBe(status === 200)
  })
})
