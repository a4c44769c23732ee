import { createHash } from 'node:crypto'
import { dayAt } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { demoClock } from '../../core/context.ts'
import { parts } from '../../features.ts'
import { buildServer } from '../../http/server.ts'
import { runDue } from '../../testing/audited.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { hashPassword } from '../identity/members/password-hash.ts'
import { totpSecretOf, totpStep } from '../identity/second-factor/totp.ts'
import { listTemplates } from '../support/templates.queries.ts'
import { readOperatorCodes } from './codes.commands.ts'
import { codesPage } from './codes.presenter.ts'
import { advanceDay, forgetAdvance, readDemo } from './demo.commands.ts'
import { beginAdvance } from './demo.sql.ts'
import { signInSecret } from './demo-secrets.ts'
import { ANSWERS } from './demo-templates.ts'
import { enlistOperators } from './seeding.commands.ts'
import { liveStory } from './story.commands.ts'

const money = await suiteFixture(createMoneyFixture, new Date().toISOString())

/** The same installation as a demo, without a chain that has a clock. */
const { context } = money.server
const demo = {
  ...context,
  clock: demoClock(context.db),
  config: { ...context.config, demo: true, devnetUrl: null },
}

/** A chain that this part of the story does not need. */
const unasked = () => Promise.reject(new Error('nothing is asked of the chain'))

describe('advancing the demo by a day', () => {
  it('goes to the next morning and comes back when its run rests', async () => {
    await money.fund('profit', '100')
    const member = await money.member()
    await money.invest(member, '600')
    const before = await demo.clock.now()
    const state = await advanceDay(demo, async () => {
      await runDue(demo.db, await demo.clock.now())
      return true
    })
    const hours = (new Date(state.now).getTime() - before.getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(8)
    expect(hours).toBeLessThan(34)
    expect(state.advancing).toBe(false)
    const paid = context.db.selectFrom('posting').select('amount').where('member_id', '=', member)
    expect(await paid.where('kind', '=', 'passive').execute()).toEqual([{ amount: 2_000_000n }])
  })

  it('happens once at a time, and after a killed one the next start frees it', async () => {
    await beginAdvance(demo.db, new Date())
    await expect(advanceDay(demo, async () => false)).rejects.toThrow('demo_busy')
    await forgetAdvance(demo)
    expect((await readDemo(demo)).advancing).toBe(false)
  })
})

it('where there is no demo time is the system’s, and nobody can advance it', async () => {
  const { call } = money.server
  const state = { enabled: false, advancing: false, mail: null, codes: null }
  expect((await call({ url: '/api/demo/' })).json()).toMatchObject(state)
  await expect(advanceDay(context, async () => false)).rejects.toThrow('demo_only')
  expect(await call({ method: 'POST', url: '/api/demo/advance-day/' })).toAnswer(401)
})

describe('the codes of the demo’s operators', () => {
  it('are those that the secret signs in with, and the one for approving that follows from the member number', async () => {
    const now = new Date('2026-11-23T10:00:05Z')
    // The seeder runs as the owner of the tables.
    await enlistOperators({ ...demo, db: money.owner }, await hashPassword('a password'))
    const codes = await readOperatorCodes(demo, now)
    expect(codes.map(({ username }) => username)).toEqual(['olga', 'omar', 'teresa', 'clara', 'pablo'])
    for (const { username, memberId, signIn, approve } of codes) {
      expect(totpStep(signInSecret(demo.config, username), signIn, now)).not.toBeNull()
      const seed = createHash('sha256').update(`aval devnet approver ${memberId}`).digest()
      if (approve !== null) expect(totpStep(totpSecretOf(seed.subarray(0, 20)), approve, now)).not.toBeNull()
    }
    const approving = codes.filter(({ approve }) => approve !== null)
    expect(approving.map(({ username }) => username)).toEqual(['olga', 'omar', 'teresa'])
    expect(codesPage(codes, 25, 'en')).toContain('Good for 25 more seconds')
  })

  it('are those of a company at work: each act of its story happens once, also where the seeding is called again', async () => {
    const { owner } = money
    const seeding = { ...demo, db: owner }
    const nothing = { pay: unasked, solidify: unasked, odd: unasked, setClock: unasked }
    const today = dayAt(new Date(), 'America/Bogota')
    const story = { context: seeding, devnet: nothing, today, timeZone: 'America/Bogota' }
    const tell = () => liveStory({ ...story, approving: Promise.resolve(false) }, { day: 1, when: 'after' })
    await tell()
    const [first, ...others] = await listTemplates(owner, 'es')
    expect([first, ...others].map((each) => each?.name).toSorted()).toEqual(
      ANSWERS.map(({ name }) => name).toSorted(),
    )
    expect(first).toMatchObject({ operator: 'olga', version: 1 })
    await tell()
    expect(await listTemplates(owner, 'es')).toHaveLength(ANSWERS.length)
  })

  it.each([
    ['the demo', {}, 200],
    ['no other installation', { demo: false }, 404],
    ['no public network', { network: 'nile' as const }, 404],
  ])('are a page of %s', async (_where, changes, status) => {
    const api = await buildServer({ ...demo, config: { ...demo.config, ...changes } }, [], parts)
    const answer = await api.inject({ url: '/dev/codes' })
    expect(answer.statusCode).toBe(status)
    expect(answer.body.includes('olga')).toBe(status === 200)
    await api.close()
  })
})
