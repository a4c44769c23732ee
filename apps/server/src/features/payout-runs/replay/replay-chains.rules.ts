/** What changed of the sponsor chains that a run looked at, as its commissions tell it. */
import { formatMicro } from '@aval/money'
import type { Item, Missed } from '../calculate/engine.rules.ts'

interface Step {
  readonly investmentId: bigint
  readonly fromMemberId: bigint
  readonly level: number
  readonly memberId: bigint
  readonly kind: string
  /** "active" who was paid; else why not. */
  readonly standing: string
  readonly due: string
}

type Rows = { readonly items: readonly Item[]; readonly missed: readonly Missed[] }

function stepsOf({ items, missed }: Rows): Step[] {
  const rows = [
    ...items.map((item) => ({ ...item, standing: 'active' })),
    ...missed.map((row) => ({ ...row, standing: row.reason === 'skipped' ? 'inactive' : row.reason })),
  ]
  return rows.map(({ investmentId, fromMemberId, level, memberId, kind, standing, amount }) => ({
    investmentId: investmentId ?? 0n,
    fromMemberId: fromMemberId ?? 0n,
    level: level ?? 0,
    memberId,
    kind,
    standing,
    due: formatMicro(amount),
  }))
}

const earlier = (left: Step, right: Step): number =>
  left.investmentId === right.investmentId
    ? left.level - right.level
    : left.investmentId < right.investmentId
      ? -1
      : 1

function byPlace(steps: readonly Step[]): Map<string, Step[]> {
  const places = new Map<string, Step[]>()
  for (const step of steps) {
    const key = `${step.investmentId}:${step.level}`
    const place = places.get(key)
    if (place === undefined) places.set(key, [step])
    else place.push(step)
  }
  return places
}

/** What one level of one investment was, and is. */
function tellPlace(was: readonly Step[], is: readonly Step[]): string[] {
  const told: string[] = []
  const gone = was.filter((step) => !is.some(({ memberId }) => memberId === step.memberId))
  const come = is.filter((step) => !was.some(({ memberId }) => memberId === step.memberId))
  for (const step of was) {
    const now = is.find(({ memberId }) => memberId === step.memberId)
    if (now === undefined) continue
    if (now.standing !== step.standing)
      told.push(`member ${step.memberId} was ${step.standing}, is ${now.standing}`)
    else if (now.due !== step.due) told.push(`member ${step.memberId} was due ${step.due}, is due ${now.due}`)
  }
  for (let at = 0; at < Math.max(gone.length, come.length); at += 1) {
    const [before, after] = [gone[at], come[at]]
    if (before !== undefined && after !== undefined)
      told.push(`was member ${before.memberId}, is member ${after.memberId}`)
    else if (before !== undefined)
      told.push(
        `${before.kind === 'master' ? 'the master link up to' : 'there was'} member ${before.memberId}${before.kind === 'master' ? ' is none' : ', there is nobody'}`,
      )
    else if (after !== undefined)
      told.push(
        `${after.kind === 'master' ? 'the link up to' : 'there was nobody, there is'} member ${after.memberId}${after.kind === 'master' ? ' is a master link, and was none' : ''}`,
      )
  }
  return told
}

/** A sentence for each level of each investment that comes out otherwise than it was sealed. */
export function tellChains(sealed: Rows, recomputed: Rows): string[] {
  const [was, is] = [byPlace(stepsOf(sealed)), byPlace(stepsOf(recomputed))]
  const places = [...new Set([...was.keys(), ...is.keys()])]
  const firsts = places.map((key) => ({ key, step: (was.get(key) ?? is.get(key))?.[0] }))
  return firsts
    .flatMap(({ key, step }) => (step === undefined ? [] : [{ key, step }]))
    .sort((left, right) => earlier(left.step, right.step))
    .flatMap(({ key, step }) =>
      tellPlace(was.get(key) ?? [], is.get(key) ?? []).map(
        (said) =>
          `investment ${step.investmentId} of member ${step.fromMemberId}, level ${step.level}: ${said}`,
      ),
    )
}
