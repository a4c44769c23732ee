import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createFullHouse, type FullHouse } from '../testing/full-house.ts'
import { type Tamperer, tamperWith } from '../testing/tampering.ts'
import { inspectLedger } from './check.ts'

let house: FullHouse
let owner: Tamperer

beforeAll(async () => {
  house = await createFullHouse(inject('ownerUrl'))
  owner = tamperWith(house.server.database.ownerUrl)
})
afterAll(async () => {
  await owner?.close()
  await house?.close()
})

type Planted = readonly [what: string, statements: string, fault: RegExp]

const finds = async (_what: string, statements: string, fault: RegExp) => {
  const look = async (tx: Parameters<typeof inspectLedger>[0]) => (await inspectLedger(tx)).faults.join('\n')
  expect(await owner.after(statements, look)).toMatch(fault)
}

const run = (kind: string, period: string, state = 'done') =>
  `(SELECT id FROM payout_run WHERE kind = '${kind}' AND period = '${period}' AND state = '${state}')`
/** Whoever changes sealed rows well enough changes the seal with them. */
const SEALED_ANEW = `UPDATE payout_page p SET item_count = cardinality(members), item_sum = (SELECT sum(a) FROM unnest(amounts) a),
    hash = encode(sha256(convert_to(members::text || bases::text || amounts::text || coalesce(earned::text, ''), 'UTF8')), 'hex');
  UPDATE payout_run SET items_hash = seal_payout_run(id) WHERE state <> 'computing'`

describe('of passive profit, the check', () => {
  it.each<Planted>([
    [
      'a day at another rate',
      `UPDATE payout_run SET rate = '11/3000' WHERE id = ${run('passive', '2026-05-02')}`,
      /1 passive runs follow another rate/,
    ],
    [
      'a declaration that says something else',
      "UPDATE declared_rate SET percentage = '0.2'",
      /1 passive runs follow another rate/,
    ],
    [
      'a declaration for another day',
      "UPDATE declared_rate SET day = '2026-05-04'",
      /1 passive runs follow another rate/,
    ],
    [
      'a weekend that paid',
      `UPDATE payout_run SET rate = '125/30000' WHERE id = ${run('passive', '2026-05-09')}`,
      /1 passive runs follow another rate/,
    ],
    [
      'a payout on another principal',
      `UPDATE payout_page SET bases[1] = bases[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'a micro-USDT too much',
      `UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'a payout above the cap',
      `UPDATE payout_page SET amounts[1] = amounts[1] + 1 WHERE run_id = ${run('passive', '2026-05-07')}; ${SEALED_ANEW}`,
      /1 passive payments were not computed from the principal at their cutoff/,
    ],
    [
      'somebody left out',
      `UPDATE payout_page SET members = members[2:], bases = bases[2:], amounts = amounts[2:] WHERE run_id = ${run('passive', '2026-05-02')};
       UPDATE payout_run SET item_count = item_count - 1, posted_count = posted_count - 1 WHERE id = ${run('passive', '2026-05-02')}; ${SEALED_ANEW}`,
      /1 passive runs leave somebody out who had principal/,
    ],
    [
      'somebody left out who had next to nothing',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 300, 300, true, 1, '2026-05-01T16:00:00Z')`,
      /2 passive runs leave somebody out who had principal/,
    ],
    [
      'somebody left out whose cap was not reached',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 500000000, 500000000, true, 3, '2026-05-06T16:00:00Z')`,
      /2 members who had not reached their cap were left out/,
    ],
    [
      'nobody left out whose investment earns less than a micro-USDT',
      `INSERT INTO investment (member_id, journal_id, amount, value_after, from_balance, plan_version, credited_at)
       VALUES (6, 1, 239, 239, true, 1, '2026-05-01T16:00:00Z')`,
      /^(?!.*(leave somebody out|left out))/s,
    ],
    [
      'another profit before it',
      'UPDATE payout_page SET earned[1] = earned[1] + 1',
      /passive payments under a cap count another profit before them/,
    ],
  ])('finds %s', finds)
})
