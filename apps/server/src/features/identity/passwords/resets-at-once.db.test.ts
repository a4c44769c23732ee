/** Resets of one member at the same time: each begins while another holds a row that it needs, in every order. */
import { inTransaction } from '@aval/db'
import { Kysely, PostgresDialect } from 'kysely'
import { expect, it, vi } from 'vitest'
import { countOf, query } from '../../../core/query.sql.ts'
import { createTestServer } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import {
  accountFixture,
  FIREFOX,
  type MemberFixture,
  sessionIn,
  wrongFor,
} from '../testing/member-fixture.ts'
import { changePassword } from './passwords.commands.ts'
import { resetPassword, resetPasswordByLink, sendReset } from './resets.commands.ts'

const server = await suiteFixture(createTestServer)
const { mails, member, signIn } = accountFixture(server)

const device = { userAgent: FIREFOX, ip: '203.0.113.9' }
const DEADLOCK = '40P01'
/** What the database answered to these commands with an error: a deadlock is tried again, and nobody would hear of it. */
const errors: unknown[] = []
const db = new Kysely<never>({
  dialect: new PostgresDialect({ pool: server.connection.pool }),
  log: (event) => {
    if (event.level === 'error') errors.push(event.error)
  },
}) as unknown as typeof server.context.db
const context = { ...server.context, db }

/** A member with three live resets, oldest first. */
async function asked() {
  const ana = await member()
  const start = Date.now()
  for (const age of [3, 2, 1]) {
    const at = new Date(start - age * 1000)
    await sendReset(context, { email: ana.email, device }, at, at)
  }
  const resets = (await mails(ana)).map(({ params }) => ({
    code: params['code'] ?? '',
    token: params['resetUrl']?.split('#')[1] ?? '',
  }))
  return { ana, resets }
}

const now = () => new Date()
type Reset = Awaited<ReturnType<typeof asked>>['resets'][number]
type Way = (ana: MemberFixture, resets: readonly Reset[]) => Promise<unknown>

const byLink =
  (place: number): Way =>
  (_ana, resets) =>
    resetPasswordByLink(
      context,
      { token: resets[place]?.token ?? '', password: `by-link-${place}-new` },
      device,
      now(),
    )
const byCode =
  (change: (code: string) => string): Way =>
  ({ email }, resets) => {
    const code = change(resets[0]?.code ?? '')
    return resetPassword(context, { email, device }, { code, password: 'by-code-and-new' }, now())
  }
const byRequest: Way = ({ email }) => sendReset(context, { email, device }, now(), now())
const byPresent: Way = ({ id, access }) => {
  const actor = { memberId: id, sessionId: sessionIn(access), device }
  return changePassword(
    context,
    actor,
    { current: 'secret-password', next: 'by-present-new', otp: null },
    now(),
  )
}

const WAYS: Readonly<Record<string, Way>> = {
  'the last link': byLink(2),
  'a wrong code': byCode((code) => wrongFor(code)),
  'another request': byRequest,
  'the second link': byLink(1),
  'the right code': byCode((code) => code),
  'the present password': byPresent,
}

const blocked = () =>
  countOf(server.owner.db)`pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Begins each while the oldest reset is held elsewhere, once the one before it waits for a row. */
async function meeting(ways: readonly Way[], ana: MemberFixture, resets: readonly Reset[]) {
  const begun = await inTransaction(server.owner.db, async (tx) => {
    await query(tx)`SELECT FROM password_reset WHERE member_id = ${ana.id} ORDER BY id LIMIT 1 FOR UPDATE`
    const waiting: Promise<unknown>[] = []
    for (const way of ways) {
      waiting.push(way(ana, resets).catch((error: unknown) => error))
      await vi.waitFor(async () => expect(await blocked()).toBe(waiting.length), { timeout: 240_000 })
    }
    return waiting
  })
  return Promise.all(begun)
}

const orders = Object.keys(WAYS).map((_, first, names) => [...names.slice(first), ...names.slice(0, first)])

it.each(orders)('wait for each other and never for ever: %s, %s, %s, %s, %s, %s', async (...names) => {
  const { ana, resets } = await asked()
  errors.length = 0
  await meeting(
    names.map((name) => WAYS[name] as Way),
    ana,
    resets,
  )
  expect(errors.map((error) => (error as { code?: string }).code)).not.toContain(DEADLOCK)
  const passwords = ['by-link-1-new', 'by-link-2-new', 'by-code-and-new', 'by-present-new']
  const answers = await Promise.all(passwords.map((password) => signIn(ana.email, password)))
  expect(answers.filter((status) => status === 200)).toHaveLength(1)
})
