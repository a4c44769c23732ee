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

export interface MissedCommission {
  readonly memberId: bigint
  readonly level: number
  readonly amount: Micro
  readonly reason: 'inactive'
}

export interface DirectCommissions {
  readonly payables: readonly Payable[]
  readonly breakage: readonly MissedCommission[]
}

function shareAt(plan: Plan, step: Upline): { share: Ratio; kind: Payable['kind'] } | null {
  const { level } = step
  const flat = plan.direct.levels[level - 1]
  if (flat !== undefined) {
    return {
      kind: 'direct',
      share: level === 1 ? add(percent(flat), percent(step.extraPercent)) : percent(flat),
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
 * The flat levels pay by distance; beyond them only a master link pays. An inactive payee's share is breakage.
 */
export function directCommissions(
  plan: Plan,
  invested: Micro,
  uplines: readonly Upline[],
): DirectCommissions {
  const payables: Payable[] = []
  const breakage: MissedCommission[] = []
  for (const step of uplines) {
    const rule = shareAt(plan, step)
    if (rule === null) continue
    const amount = applyRatio(invested, rule.share)
    if (amount === 0n) continue
    const { memberId, level } = step
    if (!step.active) breakage.push({ memberId, level, amount, reason: 'inactive' })
    else
      payables.push({ memberId, kind: rule.kind, level, percentage: ratioToPercentText(rule.share), amount })
  }
  return { payables, breakage }
}
