import { useTreeMemberQuery } from './api.ts'
import type { Plot } from './plot.ts'

/** How many people are below; null where the answer was cut. */
function peopleIn(plot: Plot): number | null {
  let people = -1
  for (let index = 0; index < plot.items.length; index += 1) {
    if (plot.member(index) === undefined || plot.isVacant(index)) continue
    if (plot.missing(index) > 0) return null
    people += 1
  }
  return Math.max(0, people)
}

/** The same; where the answer was cut, the server's count. Null until it is known. */
export function usePeople(plot: Plot | null): number | null {
  const counted = plot === null ? null : peopleIn(plot)
  const top = plot?.member(0)?.node.id ?? ''
  const isAsked = counted === null && top !== '' && plot?.view === 'unilevel'
  const { currentData } = useTreeMemberQuery(top, { skip: !isAsked })
  return counted ?? currentData?.team ?? null
}
