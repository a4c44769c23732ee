import type { Withdrawal, WithdrawalStage } from '@aval/contract'

/** A step of a withdrawal as it is drawn: behind us, under way, still to come, or where it ended badly. */
export interface Step {
  stage: WithdrawalStage
  at: string | null
  state: 'done' | 'now' | 'next' | 'ended'
}

const WAY: readonly WithdrawalStage[] = [
  'requested',
  'approved',
  'signed',
  'broadcast',
  'confirming',
  'completed',
]
const ENDS: readonly WithdrawalStage[] = ['cancelled', 'refused', 'failed']

/** At which stage a withdrawal of this status stands, where nothing else is known. */
const STAGE_OF: Record<Withdrawal['status'], WithdrawalStage> = {
  1: 'requested',
  2: 'approved',
  3: 'refused',
}

/** A withdrawal in words that the page has: any other status is a refused one, and any other stage what its status says. */
export function known(row: Withdrawal): Withdrawal {
  const status = row.status in STAGE_OF ? row.status : '3'
  const hasStage = WAY.includes(row.stage) || ENDS.includes(row.stage)
  return { ...row, status, stage: hasStage ? row.stage : STAGE_OF[status] }
}

type Timed = Pick<Withdrawal, 'stage' | 'timeline'>

export function isClosed({ stage }: Pick<Withdrawal, 'stage'>): boolean {
  return stage === 'completed' || ENDS.includes(stage)
}

/**
 * The steps of the way, with what was reached. The step after the last one reached is under way; one that ended badly shows
 * what was reached and how it ended.
 */
export function stepsOf({ stage, timeline }: Timed): Step[] {
  const atOf = (wanted: WithdrawalStage) => timeline.find((reached) => reached.stage === wanted)?.at ?? null
  if (ENDS.includes(stage)) {
    const reached = WAY.filter((step) => step === 'requested' || atOf(step) !== null)
    return [
      ...reached.map((step): Step => ({ stage: step, at: atOf(step), state: 'done' })),
      { stage, at: atOf(stage), state: 'ended' },
    ]
  }
  const current = WAY.indexOf(stage)
  // Confirming is a stage that lasts; the others are reached in an instant, and what comes next is waited for.
  const now = stage === 'confirming' ? current : current + 1
  return WAY.map((step, index) => ({
    stage: step,
    at: index <= current ? atOf(step) : null,
    state: index < now ? 'done' : index === now ? 'now' : 'next',
  }))
}

/** A step that a withdrawal can be under way to. */
export type StepUnderWay = Exclude<WithdrawalStage, 'requested' | 'cancelled' | 'refused' | 'failed'>

/** What is going on now; null once it has ended. */
export function underWay(withdrawal: Timed): StepUnderWay | null {
  const step = stepsOf(withdrawal).find(({ state }) => state === 'now')
  return (step?.stage as StepUnderWay | undefined) ?? null
}

/** The newest one that something can still happen to, or that ended a moment ago while it was looked at. */
export function currentOf(rows: readonly Withdrawal[], followed: number | null): Withdrawal | null {
  return rows.find((row) => !isClosed(row)) ?? rows.find((row) => row.id === followed) ?? null
}
