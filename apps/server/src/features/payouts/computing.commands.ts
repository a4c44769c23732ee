import { createHash, type Hash } from 'node:crypto'
import type { Tx } from '@aval/db'
import { micro, ratioToPercentText } from '@aval/money'
import { dailyProfit, dailyRate, directCommissions, type Plan } from '@aval/plan'
import { planOfVersion } from '../plans/plan-versions.commands.ts'
import {
  insertBreakage,
  insertItems,
  type NewItem,
  type Run,
  selectInvestment,
  selectPrincipalAt,
  selectUplines,
} from './payouts.sql.ts'

/** Members read and items written at a time: bounds memory, whatever the network's size. */
const CHUNK = 5_000

export interface Seal {
  readonly input_hash: string
  readonly items_hash: string
  readonly item_count: number
  readonly item_sum: bigint
}

class Sealing {
  readonly #inputs: Hash = createHash('sha256')
  readonly #items: Hash = createHash('sha256')
  #count = 0
  #sum = 0n

  input(...facts: readonly (string | bigint | number | boolean)[]): void {
    this.#inputs.update(`${facts.join('|')}\n`)
  }

  item(item: NewItem): void {
    this.#items.update(
      `${item.memberId}|${item.kind}|${item.amount}|${item.basis}|${item.percentage}|${item.level ?? ''}\n`,
    )
    this.#count += 1
    this.#sum += item.amount
  }

  close(): Seal {
    return {
      input_hash: this.#inputs.digest('hex'),
      items_hash: this.#items.digest('hex'),
      item_count: this.#count,
      item_sum: this.#sum,
    }
  }
}

async function computePassive(tx: Tx, run: Run, plan: Plan, sealing: Sealing): Promise<void> {
  const percentage = ratioToPercentText(dailyRate(plan))
  let after = 0n
  for (;;) {
    const members = await selectPrincipalAt(tx, run.cutoff_at, after, CHUNK)
    const items: NewItem[] = []
    for (const { memberId, principal } of members) {
      if (principal === 0n) continue
      sealing.input(memberId, principal)
      const amount = dailyProfit(plan, principal)
      if (amount === 0n) continue
      items.push({
        memberId,
        kind: 'passive',
        amount,
        basis: principal,
        percentage,
        level: null,
        fromMemberId: null,
      })
    }
    for (const item of items) sealing.item(item)
    await insertItems(tx, run.id, items)
    const last = members.at(-1)
    if (last === undefined || members.length < CHUNK) return
    after = last.memberId
  }
}

async function computeDirect(tx: Tx, run: Run, plan: Plan, sealing: Sealing): Promise<void> {
  const [member, id] = run.period.split(':')
  const investorId = BigInt(member ?? '')
  const investment = await selectInvestment(tx, investorId, BigInt(id ?? ''))
  const uplines = await selectUplines(tx, investorId, plan.direct.levels.length)
  sealing.input(investorId, investment.amount)
  for (const up of uplines) sealing.input(up.memberId, up.level, up.active, up.extraPercent, up.masterLink)
  const { payables, breakage } = directCommissions(plan, micro(investment.amount), uplines)
  const items = payables
    .map((payable): NewItem => ({ ...payable, basis: micro(investment.amount), fromMemberId: investorId }))
    .sort((left, right) => (left.memberId < right.memberId ? -1 : 1))
  for (const item of items) sealing.item(item)
  await insertItems(tx, run.id, items)
  await insertBreakage(tx, run.id, breakage)
}

/** Computes a run's items from its closed inputs and writes them; the seal tells their number, sum and hashes. */
export async function computeRun(tx: Tx, run: Run): Promise<Seal> {
  const { plan, version } = await planOfVersion(tx, run.plan_version)
  const sealing = new Sealing()
  sealing.input(run.kind, run.period, version)
  if (run.kind === 'passive') await computePassive(tx, run, plan, sealing)
  else await computeDirect(tx, run, plan, sealing)
  return sealing.close()
}
