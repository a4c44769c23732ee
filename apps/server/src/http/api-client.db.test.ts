/** The client that openapi-typescript generates from the description: it compiles, and drives the calls about money. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, expect, it } from 'vitest'
import { emailCodeFor } from '../features/identity/testing/member-fixture.ts'
import { createWithdrawalFixture } from '../features/withdrawals/testing/withdrawal-fixture.ts'
import { describeApi } from '../testing/described-api.ts'
import { TEST_PASSWORD } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

/** What somebody writes against the generated types. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './paths.ts'

interface Member {
  fetch: (request: Request) => Promise<Response>
  username: string
  password: string
  wallet: string
  pay: (amount: string) => Promise<unknown>
  readCode: () => Promise<string>
}

export async function drive({ fetch, username, password, wallet, pay, readCode }: Member) {
  const client = createClient<paths>({ baseUrl: 'http://localhost:3000', fetch })
  const signedIn = await client.POST('/api/auth/token/', { body: { email: username, password } })
  const access = signedIn.data !== undefined && 'access' in signedIn.data ? signedIn.data.access : ''
  const headers = { authorization: 'Bearer ' + access, 'accept-language': 'en' }

  const invested = await client.POST('/api/plans/create-investment-payment/', { headers, body: { amount: '1000' } })
  const invoice = invested.data !== undefined && 'result' in invested.data ? invested.data.result : null
  const body = { txn_id: invoice?.txn_id ?? '' }
  const unpaid = await client.POST('/api/plans/verify-investment-amount/', { headers, body })
  await pay(invoice?.amount ?? '')
  const paid = await client.POST('/api/plans/verify-investment-amount/', { headers, body })

  const sent = await client.POST('/api/withdrawals/withdrawals/create-code/', { headers, body: null })
  const used_code = await readCode()
  const withdrawn = await client.POST('/api/withdrawals/withdrawals/', {
    headers,
    body: { amount: '20', wallet_address: wallet, used_code },
  })
  return { unpaid, paid, sent, withdrawn: withdrawn.data?.stage, wallet: withdrawn.data?.wallet_address }
}
`
const OPTIONS =
  '--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions --skipLibCheck --types node'
const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

const fixture = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const folder = await mkdtemp(join(tmpdir(), 'aval-client-'))
await symlink(MODULES, join(folder, 'node_modules'))
await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
await writeFile(join(folder, 'paths.ts'), astToString(await openapiTS(await describeApi())))
await writeFile(join(folder, 'program.ts'), PROGRAM)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** `fetch` into the server of this process. */
async function call(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const body = await request.text()
  const answer = await fixture.server.call({
    method: request.method as 'GET' | 'POST',
    url: `${pathname}${search}`,
    headers: Object.fromEntries(request.headers),
    ...(body === '' ? {} : { payload: body }),
  })
  const headers = { 'content-type': 'application/json' }
  return new Response(answer.body, { status: answer.statusCode, headers })
}

it('compiles', async () => {
  const compiler = join(MODULES, '.bin', 'tsc')
  const run = promisify(execFile)(compiler, [...OPTIONS.split(' '), 'program.ts'], { cwd: folder })
  expect(await run.catch(({ stdout }) => ({ stdout }))).toMatchObject({ stdout: '' })
})

it('signs in, invests, verifies and withdraws', async () => {
  const { id, wallet } = await fixture.withdrawer('100')
  const member = fixture.db.selectFrom('member').select('username').where('id', '=', id)
  const { username } = await member.executeTakeFirstOrThrow()
  const { drive } = await import(join(folder, 'program.ts'))
  const { unpaid, paid, sent, ...withdrawal } = await drive({
    fetch: call,
    username,
    password: TEST_PASSWORD,
    wallet,
    pay: (amount: string) => fixture.receive(id, amount),
    readCode: () => emailCodeFor(fixture.server, id),
  })
  expect([unpaid.response.status, unpaid.error]).toEqual([422, expect.stringMatching(/\w/)])
  expect([paid.response.status, paid.data]).toEqual([200, expect.stringMatching(/\w/)])
  expect(sent.response.status).toBe(200)
  expect(withdrawal).toEqual({ withdrawn: 'requested', wallet })
})
