/** The client that openapi-typescript generates from the description: it compiles, and drives the calls about money. */
import createClient from 'openapi-fetch'
import { expect, it } from 'vitest'
import { emailCodeFor } from '../features/identity/testing/member-fixture.ts'
import { createWithdrawalFixture } from '../features/withdrawals/testing/withdrawal-fixture.ts'
import type { paths } from '../testing/api.generated.ts'
import { TEST_PASSWORD } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

const fixture = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')

/** `fetch` into the server of this process. */
async function call(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const body = await request.text()
  const answer = await fixture.server.call({
    method: request.method as 'GET' | 'POST',
    url: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(request.headers),
    ...(body === '' ? {} : { payload: body }),
  })
  return new Response(answer.body, {
    status: answer.statusCode,
    headers: { 'content-type': 'application/json' },
  })
}

it('signs in, invests, verifies and withdraws', async () => {
  const { id, wallet } = await fixture.withdrawer('100')
  const member = fixture.db.selectFrom('member').select('username').where('id', '=', id)
  const { username } = await member.executeTakeFirstOrThrow()
  const client = createClient<paths>({ baseUrl: 'http://localhost:3000', fetch: call })
  const signedIn = await client.POST('/api/auth/token/', {
    body: { email: username, password: TEST_PASSWORD },
  })
  const access = signedIn.data !== undefined && 'access' in signedIn.data ? signedIn.data.access : ''
  const headers = { authorization: `Bearer ${access}` }

  const invested = await client.POST('/api/plans/create-investment-payment/', {
    headers,
    body: { amount: '1000' },
  })
  const invoice = invested.data !== undefined && 'result' in invested.data ? invested.data.result : null
  expect(invested.error).toBeUndefined()
  const verified = await client.POST('/api/plans/verify-investment-amount/', {
    headers,
    body: { txn_id: invoice?.txn_id ?? '' },
  })
  expect([verified.response.status, typeof verified.error]).toEqual([422, 'string'])

  const sent = await client.POST('/api/withdrawals/withdrawals/create-code/', { headers, body: null })
  expect(sent.response.status).toBe(200)
  const body = { amount: '20', wallet_address: wallet, used_code: await emailCodeFor(fixture.server, id) }
  const withdrawn = await client.POST('/api/withdrawals/withdrawals/', { headers, body })
  expect(withdrawn.data).toMatchObject({ amount: '20.00', stage: 'requested', wallet_address: wallet })
})
