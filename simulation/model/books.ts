import type { Member, MemberTotals, Taken } from './history.ts'

type Pool = Taken['pool']

interface Account {
  balance: bigint
  readonly owed: Record<Pool, bigint>
  /** Net of what reversals took back. */
  readonly earned: Record<Pool, bigint>
}

/** What the ledger does for members: balances, what is owed, what was earned. */
export class Books {
  readonly #accounts: ReadonlyMap<number, Account>

  constructor(members: readonly Member[]) {
    const nothing = () => ({ profit: 0n, commission: 0n })
    this.#accounts = new Map(
      members.map(({ id }) => [id, { balance: 0n, owed: nothing(), earned: nothing() }]),
    )
  }

  #of(memberId: number): Account {
    const account = this.#accounts.get(memberId)
    if (account === undefined) throw new Error(`member ${memberId} has no accounts`)
    return account
  }

  profitOf(memberId: number): bigint {
    return this.#of(memberId).earned.profit
  }

  pay(memberId: number, pool: Pool, amount: bigint): void {
    const account = this.#of(memberId)
    account.balance += amount
    account.earned[pool] += amount
  }

  /** @throws when the balance does not cover it */
  spend(memberId: number, amount: bigint): void {
    const account = this.#of(memberId)
    if (account.balance < amount) throw new Error(`member ${memberId} cannot spend ${amount}`)
    account.balance -= amount
  }

  giveBack(memberId: number, principal: bigint): void {
    this.#of(memberId).balance += principal
  }

  takeBack(memberId: number, pool: Pool, amount: bigint): Taken {
    const account = this.#of(memberId)
    account.earned[pool] -= amount
    account.balance -= amount
    // what would be below zero is owed instead
    const owed = account.balance < 0n ? -account.balance : 0n
    account.balance += owed
    account.owed[pool] += owed
    return { memberId, pool, amount, owed }
  }

  recover(): void {
    for (const account of this.#accounts.values()) {
      for (const pool of ['commission', 'profit'] as const) {
        const rest = account.balance - account.owed[pool]
        account.balance = rest > 0n ? rest : 0n
        account.owed[pool] = rest < 0n ? -rest : 0n
      }
    }
  }

  totals(
    othersOf: (memberId: number) => Pick<MemberTotals, 'principal' | 'carryLeft' | 'carryRight'>,
  ): MemberTotals[] {
    return [...this.#accounts].map(([memberId, { balance, owed, earned }]) => ({
      memberId,
      ...othersOf(memberId),
      balance,
      owedProfit: owed.profit,
      owedCommission: owed.commission,
      earned: earned.profit + earned.commission,
      earnedProfit: earned.profit,
    }))
  }
}
