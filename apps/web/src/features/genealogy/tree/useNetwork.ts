import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import type { Failure } from '../../../api/failure.ts'
import { type TreeAnswer, useTreeMemberQuery, useTreeQuery } from './api.ts'
import { START_DELAY } from './chart/motion.ts'
import { Plot } from './plot.ts'
import type { TreeQuestion } from './questions.ts'

export interface Network {
  readonly plot: Plot
  readonly answer: TreeAnswer
  /** The same network again: what was open stays open, and the picture where it is. */
  readonly isRenewed: boolean
}

/** Narrower windows have room for two cards beside each other. */
const NARROW = 768

const isSame = (one: TreeQuestion, other: TreeQuestion) =>
  one.view === other.view && one.root === other.root && one.asOf === other.asOf && one.of === other.of

function networkOf(answer: TreeAnswer, before: Network | null): Network {
  const isRenewed = before !== null && isSame(before.answer.question, answer.question)
  const plot = new Plot(answer.question.view, answer.nodes)
  plot.begin(isRenewed ? before.plot.openIds() : null, window.innerWidth < NARROW)
  return { plot, answer, isRenewed }
}

/** The network requested last; while it loads, the one before. */
export function useNetwork({ view, root, asOf, of }: TreeQuestion) {
  const { data, error, isFetching, refetch } = useTreeQuery({ view, root, asOf, of })
  const [network, setNetwork] = useState<Network | null>(null)
  if (data !== undefined && network?.answer !== data) setNetwork(networkOf(data, network))
  return {
    network,
    failure: isFetching ? undefined : (error as Failure | undefined),
    isFetching,
    refetch,
  }
}

export function useStarted(): boolean {
  const [isStarted, setStarted] = useState(false)
  useTimeout(() => setStarted(true), START_DELAY, { autoInvoke: true })
  return isStarted
}

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
