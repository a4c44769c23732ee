/** Decisions all the way: proposed by the server, signed by a passkey, verified by the signer, paid by the worker. */
import type { DecisionRow } from '@aval/approvals'
import { connect } from '@aval/db'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { createAcceptor } from '../apps/gateway/src/signer/approvals/accept.ts'
import { identityOf } from '../apps/gateway/src/signer/rounds.ts'
import { KEYS } from '../apps/gateway/src/signer/testing/fixtures.ts'
import { openMemoryJournal } from '../apps/gateway/src/signer/testing/journals.ts'
import { createApprovers } from '../apps/gateway/src/testing/approvers.ts'
import { query } from '../apps/server/src/core/query.sql.ts'
import { createRunsFixture } from '../apps/server/src/features/payout-runs/testing/runs-fixture.ts'
import { usdt } from '../apps/server/src/testing/money-fixture.ts'

async function openHouse() {
  const fixture = await createRunsFixture(inject('ownerUrl'))
  const { money } = fixture
  const { database, owner } = money.server
  const signer = connect(database.signerUrl, 2)
  const rows = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await owner.pool.query<Row>(text, values)).rows
  const operators = (await rows<{ id: string }>('SELECT id FROM member WHERE is_operator ORDER BY id')).map(
    ({ id }) => BigInt(id),
  )
  const now = () => new Date()
  const approvers = createApprovers(rows, operators, () => now().getTime())
  const { journal } = await openMemoryJournal(identityOf(KEYS, approvers.policy))
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const policy = () => approvers.policy
  const acceptor = createAcceptor({ db: signer.db, network: 'devnet', policy, journal, log, now })
  return {
    ...fixture,
    /** What is proposed, as operators see it. */
    proposed: () =>
      query<DecisionRow>(
        money.owner,
      )`SELECT id AS "decisionId", kind, statement FROM decision WHERE state = 'open'`,
    sign: async (decisions: readonly DecisionRow[]) =>
      acceptor.decide(await approvers.submitDecisions(operators[0] ?? 0n, decisions)),
    async close() {
      await signer.close()
      await money.close()
    },
  }
}

let house: Awaited<ReturnType<typeof openHouse>>
beforeEach(async () => {
  house = await openHouse()
})
afterEach(async () => {
  const faults = await house.faults()
  await house.close()
  expect(faults).toEqual([])
})

describe('a held run', () => {
  it('pays nobody for having been proposed, and goes on once it is signed', async () => {
    const { id } = await house.doubledDay()
    await house.decide(id, 'release')
    await house.resume()
    expect(await house.balance()).toBe(usdt('2000'))
    expect(await house.sign(await house.proposed())).toBe('accepted')
    await house.resume()
    expect(await house.balance()).toBe(usdt('6000'))
    expect(await house.runOf('passive', '2026-05-05')).toMatchObject({ state: 'done', decision: null })
  })

  it('is paid pro rata once that is signed', async () => {
    const { id } = await house.shortDay()
    await house.decide(id, 'prorate')
    await house.resume()
    expect(await house.balance()).toBe(0n)
    expect(await house.sign(await house.proposed())).toBe('accepted')
    await house.resume()
    expect(await house.balance()).toBe(usdt('1000'))
  })

  it('that was cancelled since is not paid, by name, though it was seen and signed', async () => {
    const { id } = await house.doubledDay()
    await house.decide(id, 'release')
    const seen = await house.proposed()
    await house.decide(id, 'cancel')
    expect(await house.sign(seen)).toBe('decision_closed')
    await house.resume()
    expect(await house.balance()).toBe(usdt('2000'))
  })

  it('is not released by a signature over another sum', async () => {
    const { id } = await house.doubledDay()
    await house.decide(id, 'release')
    const [seen] = await house.proposed()
    if (seen === undefined) throw new Error('nothing is proposed')
    const other = { ...seen, statement: { ...seen.statement, sum: '1000000' } }
    expect(await house.sign([other])).toBe('rows_differ')
    await house.resume()
    expect(await house.balance()).toBe(usdt('2000'))
  })
})
