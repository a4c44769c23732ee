import { applyRatio, type Micro, percent, type Ratio, ratio, ratioToPercentText } from '@aval/money'
import type { Plan } from './plan.ts'

/** One step up the sponsor chain: the payee, and the link that leads up to them. */
export interface Upline {
  readonly memberId: bigint
  /** Distance from who invested; 1 is their own sponsor. Steps that cannot pay may be left out of a chain. */
  readonly level: number
  /** Principal above zero when this is computed. */
  readonly active: boolean
  /** Percentage points on top of the first level, decimal text. */
  readonly extraPercent: string
  /** The link from the member below to this sponsor is flagged master. */
  readonly masterLink: boolean
}

export interface Payable {
  readonly memberId: bigint
  readonly kind: 'direct' | 'master'
  readonly level: number
  /** Decimal percent of the invested amount. */
  readonly percentage: string
  readonly amount: Micro
}

export interface MissedCommission extends Payable {
  /** `skipped`: compression walked past an inactive sponsor, and the level went to the next active one. */
  readonly reason: 'inactive' | 'skipped'
}

/** Percentage points that a sponsor may get on top of the plan's first level, at most. PostgreSQL knows it, too. */
const MOST_EXTRA = percent('20')
const EXTRA = /^(0|[1-9]\d?)(\.\d{1,2})?$/

/** Percentage points as they are stored, from what a person writes: 0 to 20, at most two decimals; null for anything else. */
export function parseExtraPercent(text: string): string | null {
  if (!EXTRA.test(text)) return null
  const share = percent(text)
  const isTooMuch = share.numerator * MOST_EXTRA.denominator > MOST_EXTRA.numerator * share.denominator
  return isTooMuch ? null : ratioToPercentText(share)
}

/** What a percentage paid at the first level has on top of the plan's, as decimal text: `0` for nothing. */
export function extraOf(plan: Plan, paid: string): string {
  const [whole, flat] = [percent(paid), percent(plan.direct.levels[0] ?? '0')]
  const numerator = whole.numerator * flat.denominator - flat.numerator * whole.denominator
  return ratioToPercentText(ratio(numerator, whole.denominator * flat.denominator), 6)
}

/** What a sponsor with these extra points is paid at the first level, as a part of what is invested. @param extra decimal percentage points */
export function firstLevelShare(plan: Plan, extra: string): Ratio {
  return add(percent(plan.direct.levels[0] ?? '0'), percent(extra))
}

export interface DirectCommissions {
  readonly payables: readonly Payable[]
  readonly missed: readonly MissedCommission[]
}

function shareAt(plan: Plan, level: number, step: Upline): { share: Ratio; kind: Payable['kind'] } | null {
  const flat = plan.direct.levels[level - 1]
  if (flat !== undefined) {
    return {
      kind: 'direct',
      share: level === 1 ? firstLevelShare(plan, step.extraPercent) : percent(flat),
    }
  }
  return step.masterLink ? { kind: 'master', share: percent(plan.direct.masterPercent) } : null
}

function add(left: Ratio, right: Ratio): Ratio {
  return ratio(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  )
}

/**
 * Who is paid when `invested` is credited to a member whose sponsor chain is `uplines`, nearest first, up to the root.
 *
 * The flat levels pay by distance; beyond them only a master link pays. An inactive payee's share is breakage: it stays in
 * the pool. Under compression the inactive do not count as a level, and the chain must be given whole.
 */
export function directCommissions(
  plan: Plan,
  invested: Micro,
  uplines: readonly Upline[],
): DirectCommissions {
  const { compression } = plan.direct
  const payables: Payable[] = []
  const missed: MissedCommission[] = []
  let active = 0
  for (const step of uplines) {
    const level = compression ? active + 1 : step.level
    if (step.active) active += 1
    const rule = shareAt(plan, level, step)
    if (rule === null) continue
    const amount = applyRatio(invested, rule.share)
    if (amount === 0n) continue
    const percentage = ratioToPercentText(rule.share, 6)
    const commission = { memberId: step.memberId, kind: rule.kind, level, percentage, amount }
    if (step.active) payables.push(commission)
    else missed.push({ ...commission, reason: compression ? 'skipped' : 'inactive' })
  }
  return { payables, missed }
}
