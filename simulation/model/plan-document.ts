import { formatMicro, micro } from '@aval/money'
import { DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import type { PlanRules } from './history.ts'

/** More than any history moves. */
const MOST = '1000000000'

/** A whole plan with these rules, under which any amount may be invested and no run is ever held for what it comes to. */
export function documentOf(rules: PlanRules): PlanDocument {
  const { passive, direct, binary } = rules
  return {
    ...DEFAULT_PLAN,
    investment: {
      ...DEFAULT_PLAN.investment,
      firstMinimum: '0.000001',
      topUpMinimum: '0.000001',
      largest: MOST,
    },
    passive: { ...passive },
    direct: { ...direct, levels: [...direct.levels] },
    binary: { percent: binary.percent, dailyCap: formatMicro(micro(binary.dailyCap)) },
    guards: { changePercent: '50', changeFrom: MOST, memberMost: MOST, runMost: MOST },
  }
}
