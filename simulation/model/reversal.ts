import { smallest, sum } from './exact.ts'
import type { Taken } from './history.ts'
import { profitOn } from './runs.ts'
import { bookOf, type Investment, type World } from './world.ts'

/** Gives an investment back to its member, and takes back what it had paid to anyone. */
export function reverse(world: World, index: number): void {
  const investment = world.investments[index]
  if (!investment?.covered || investment.reversedOn !== null) {
    throw new Error(`investment ${index} cannot be reversed`)
  }
  const due = [...commissionsPaidFor(investment), ...profitPaidFor(world, investment)]

  investment.reversedOn = world.today
  bookOf(world, investment.memberId).balance += investment.amount
  world.reversals.push({ investment: index, taken: due.map((one) => takeBack(world, one)) })
}

type Due = Omit<Taken, 'owed'>

/** Binary payments are not among them: the points the reversal takes away make up for those. */
function commissionsPaidFor(investment: Investment): Due[] {
  return investment.paid.map(({ memberId, amount }) => ({ memberId, pool: 'commission', amount }))
}

/**
 * The passive profit the member would not have got without this investment. Each run is worked out again with
 * and without it, on what of its basis still stands, so that reversing every investment takes back everything.
 */
function profitPaidFor(world: World, investment: Investment): Due[] {
  const amounts = world.passiveDays
    .filter((day) => day.investments.includes(investment))
    .map((day) => {
      const still = day.investments.filter((one) => one.reversedOn === null)
      const basis = sum(still.map((one) => one.amount))
      return profitOn(basis, day) - profitOn(basis - investment.amount, day)
    })
  const amount = sum(amounts)
  return amount > 0n ? [{ memberId: investment.memberId, pool: 'profit', amount }] : []
}

/** From the balance as far as it goes; the rest is owed. */
function takeBack(world: World, { memberId, pool, amount }: Due): Taken {
  const book = bookOf(world, memberId)
  const fromBalance = smallest(amount, book.balance)
  const owed = amount - fromBalance
  book.balance -= fromBalance
  if (pool === 'profit') {
    book.profit -= amount
    book.owedProfit += owed
  } else {
    book.commission -= amount
    book.owedCommission += owed
  }
  return { memberId, pool, amount, owed }
}
