import { expect, it } from 'vitest'
import { queryValue } from '../../../core/query.sql.ts'
import { clientOf, createTestServer } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'

const server = await suiteFixture(createTestServer)
const visitor = clientOf(server)

it('anybody reads how long things are kept, the years as the installation sets them', async () => {
  expect(await visitor.get('privacy/terms/')).toAnswer(200, {
    sessions: 90,
    known_devices: 180,
    failed_tries: 90,
    codes: 90,
    mails: 90,
    answers: 7,
    closed_traces: 90,
    closed_years: 10,
  })
})

it.each([
  ['purge_mail', 'mails'],
  ['purge_idempotency_responses', 'answers'],
  ['purge_closed_accounts', 'closed_traces'],
])('%s keeps what the terms say', async (name, figure) => {
  const terms = (await visitor.get('privacy/terms/')).json()
  const text = await queryValue<string>(server.owner.db)`SELECT pg_get_functiondef(${name}::regproc)`
  expect(text).toContain(`interval '${terms[figure]} days'`)
})
