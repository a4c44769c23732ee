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

const AN_INVESTMENT = `UPDATE investment SET amount = amount - 1000000 WHERE member_id = 5 AND id = (SELECT min(id) FROM investment WHERE member_id = 5)`

describe('of commissions, the check', () => {
  it.each<Planted>([
    [
      'an investment that nobody was paid for',
      "DELETE FROM payout_run WHERE period = '1-1'",
      /1 investments are covered by no run although later ones are/,
    ],
    [
      'an investment paid for twice',
      "UPDATE payout_run SET first_investment = 1 WHERE period = '3-3'",
      /1 investments are covered by no run .* or by more than one/,
    ],
    [
      'another amount',
      "UPDATE payout_item SET amount = amount + 1 WHERE kind = 'master'",
      /1 commissions were not computed from their investment by their plan/,
    ],
    [
      'another percentage',
      "UPDATE payout_item SET percentage = '7' WHERE kind = 'direct' AND level = 4",
      /1 commissions were not computed/,
    ],
    [
      'another level',
      "UPDATE payout_item SET level = 3 WHERE kind = 'master'",
      /1 commissions were not computed/,
    ],
    [
      'an investment that was changed since',
      AN_INVESTMENT,
      /2 commissions were not computed from their investment/,
    ],
    [
      'something else missed',
      "UPDATE payout_missed SET amount = amount + 1 WHERE reason = 'skipped'",
      /1 commissions were not computed/,
    ],
    [
      'somebody else paid',
      "UPDATE payout_item SET member_id = 3 WHERE kind = 'direct' AND level = 3 AND member_id = 4",
      /1 steps up the sponsor chain were paid to somebody else/,
    ],
    [
      'a step left out',
      "DELETE FROM payout_missed WHERE reason = 'inactive'",
      /2 steps up the sponsor chain were paid to somebody else, left out/,
    ],
    [
      'somebody judged active who was not',
      "UPDATE payout_run SET as_of = 2 WHERE period = '8-8'",
      /1 steps up .* judged active otherwise/,
    ],
    [
      'a sponsor changed since',
      'UPDATE sponsorship SET sponsor_id = 3 WHERE member_id = 5',
      /steps up the sponsor chain were paid to somebody else/,
    ],
    [
      'a master commission without a master',
      'DELETE FROM master_code',
      /1 master commissions were computed without a master link.*1 master codes and master links do not agree/s,
    ],
    [
      'a master that came later',
      'UPDATE master_code SET id = 14',
      /1 master commissions were computed without a master link/,
    ],
    [
      'a member at another depth',
      'UPDATE sponsorship SET depth = 9 WHERE member_id = 8',
      /1 members stand at another distance from the root/,
    ],
  ])('finds %s', finds)
})

const PART = (pool: string) =>
  `(SELECT member_id, reversal_id, leg FROM reversal_part WHERE pool = '${pool}' ORDER BY reversal_id, leg LIMIT 1)`

describe('of reversals, the check', () => {
  it.each<Planted>([
    [
      'another principal taken back',
      'UPDATE reversal SET amount = amount + 1',
      /2 reversals and principal that went back do not belong/,
    ],
    [
      'a reversal before its investment',
      "UPDATE reversal SET at = '2026-04-01'",
      /2 reversals and principal that went back do not belong/,
    ],
    [
      'an investment taken back twice',
      'INSERT INTO reversal SELECT 3, investment_id, 900, journal_id, amount, reason, reversed_by, at FROM reversal WHERE member_id = 8',
      /1 investments were reversed more than once/,
    ],
    [
      'a commission that was not taken back',
      `DELETE FROM reversal_part WHERE (member_id, reversal_id, leg) IN ${PART('commission')}`,
      /1 commissions of reversed investments were not taken back to the micro-USDT/,
    ],
    [
      'the sealed commission taken back where less was paid',
      "UPDATE payout_share SET amount = amount - 1; UPDATE payout_item SET investment_id = 13 WHERE kind = 'direct' AND investment_id = 3",
      /1 commissions of reversed investments were not taken back/,
    ],
    [
      'a micro-USDT of profit too much taken back',
      `UPDATE reversal_part SET amount = amount + 1 WHERE (member_id, reversal_id, leg) IN ${PART('profit')}`,
      /1 passive profit of reversed investments was not taken back to the micro-USDT/,
    ],
    [
      'something else posted',
      "UPDATE posting SET amount = amount + 1 WHERE kind = 'clawback_commission'",
      /parts of reversals and what was posted for them/,
    ],
    [
      'a debt written nowhere',
      "DELETE FROM posting WHERE kind = 'owed_commission'",
      /1 parts of reversals and what was posted for them/,
    ],
    [
      'a debt that is settled for less',
      "UPDATE posting SET amount = amount + 1 WHERE kind = 'repay_commission'",
      /1 recoveries settled another sum than they took/,
    ],
  ])('finds %s', finds)
})

describe('of the binary tree, the check', () => {
  it.each<Planted>([
    [
      'points carried from nowhere',
      `UPDATE binary_carry SET lefts[2] = lefts[2] + 1; ${SEALED_ANEW}`,
      /^member 1: \S+ points came in on the left, \S+ were matched and \S+ are carried$/m,
    ],
    [
      'points matched that were never given',
      `UPDATE payout_item SET basis = basis + 1000000 WHERE kind = 'binary' AND member_id = 2 AND run_id = ${run('binary', '2026-05-07')}`,
      /^member 2: \S+ points came in on the left.*\nmember 2: \S+ points came in on the right/m,
    ],
    ['an investment changed since', AN_INVESTMENT, /^member 1: .* on the left.*\nmember 2: .* on the right/m],
    [
      'a place on the other side',
      "UPDATE placement SET leg = 'R' WHERE member_id = 8",
      /^member 7: 0\.00 points came in on the left, 0\.00 were matched and 650\.00 are carried/m,
    ],
    [
      'investments counted that were none',
      `UPDATE binary_carry SET events[2] = events[2] + 1; ${SEALED_ANEW}`,
      /^member 1: \d+ investments gave points, \d+ are counted$/m,
    ],
    [
      'a tree that goes in circles',
      'UPDATE placement SET parent_id = 8 WHERE member_id = 6',
      /^the binary tree cannot be added up: the tree goes in circles above \d+$/m,
    ],
  ])('finds %s', finds)
})
