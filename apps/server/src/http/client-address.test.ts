import { describe, expect, it } from 'vitest'
import type { Context } from '../core/context.ts'
import { parts } from '../features.ts'
import { testConfig } from '../testing/server.ts'
import type { FeatureRoutes } from './api.ts'
import { buildServer } from './server.ts'

const probe: FeatureRoutes = (api) => {
  api.get('/probe/', { config: { access: 'public' } }, async (request) => ({ ip: request.ip }))
}

/** What we take for the address of a client whose proxies, the last one ours, added to this header. */
async function seen(trustedProxies: number, forwarded: string): Promise<string> {
  const config = testConfig('postgres://nobody@127.0.0.1:1/none', { trustedProxies })
  const api = await buildServer({ config } as Context, [probe], parts)
  const answer = await api.inject({
    url: '/api/probe/',
    remoteAddress: '10.0.0.1',
    headers: { 'x-forwarded-for': forwarded, 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' },
  })
  await api.close()
  return answer.json().ip
}

describe('the address of a client', () => {
  it('is the socket’s where no proxy is trusted, whatever the client says of itself', async () => {
    expect(await seen(0, '6.6.6.6')).toBe('10.0.0.1')
  })

  it('is what the trusted proxies say, and nothing that stood before they added to it', async () => {
    expect(await seen(1, '6.6.6.6, 203.0.113.9')).toBe('203.0.113.9')
    expect(await seen(2, '6.6.6.6, 203.0.113.9, 10.0.0.2')).toBe('203.0.113.9')
  })
})
