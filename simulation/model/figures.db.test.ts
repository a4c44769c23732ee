import { expect, it } from 'vitest'
import { createMoneyFixture } from '../../apps/server/src/testing/money-fixture.ts'
import { soundSuiteFixture } from '../../apps/server/src/testing/suite.ts'
import { tamperWith } from '../../apps/server/src/testing/tampering.ts'
import { figureDifferences } from './figures.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z', [])
const owner = tamperWith(money.server.database.ownerUrl)
const found = (statements: string) => owner.after(statements, (tx) => figureDifferences(tx, money.now))

/** A sponsor and a referral whose second investment is reversed after it was paid for. */
await money.fund('commission', '1000')
await money.fund('profit', '1000')
const sponsor = await money.member()
const referral = await money.member(sponsor)
await money.invest(sponsor, '1000')
await money.invest(referral, '1000')
await money.payDay()
await money.invest(referral, '50')
await money.payDay()
await money.reverse(await money.latestInvestment(referral))
await money.payDay()
// A part of an investment that waits for the rest.
await money.invoiceOver(referral, '700')
await money.receive(referral, '100')

it('every page says the same after a reversal, and beside a part of an invoice', async () => {
  expect(await found('SELECT 1')).toEqual([])
})

it.each([
  ['payments that forget a reversal', 'DELETE FROM reversal_part', /direct: 50000000, 50000000, 52500000/],
  [
    'a history and a lock that forget it',
    'DELETE FROM reversal',
    /principal: 1000000000, 1000000000, 1000000000, 1050000000/,
  ],
  [
    'a part that was credited twice',
    'UPDATE member_pending SET amount = amount * 2',
    /pending: 200000000, 100000000/,
  ],
  [
    'a total that was never posted',
    'UPDATE member_balance SET earned = earned + 1 WHERE member_id <> 0',
    /direct: /,
  ],
  [
    'a payment posted on another day’s item',
    "UPDATE posting SET amount = amount + 1 WHERE kind = 'passive'",
    /passive: /,
  ],
  [
    'days that do not say all that was taken back of them',
    "UPDATE reversal SET at = at - interval '1 day'",
    /passive taken back: 166667, 166667, 0/,
  ],
  [
    'a why that says another sum',
    "UPDATE reversal_part SET amount = amount + 1 WHERE pool = 'profit'",
    /passive taken back: 166667, 166668, 166667/,
  ],
  [
    'a credit that the statement has twice',
    "UPDATE posting SET amount = amount * 2 WHERE kind = 'direct'",
    /statement: /,
  ],
])('finds %s', async (_, statements, fault) => {
  expect((await found(statements)).join('\n')).toMatch(fault)
})
