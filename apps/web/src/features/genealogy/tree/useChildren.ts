import { kidsOf } from '@aval/genealogy'
import type { RefObject } from 'react'
import toast from 'react-hot-toast'
import type { Failure } from '../../../api/failure.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useLazyTreeChildrenQuery } from './api.ts'
import type { Chart } from './chart/chart.ts'
import { PAGE_STEP, type Plot } from './plot.ts'
import type { TreeQuestion } from './questions.ts'

interface ChildrenOptions {
  readonly chart: RefObject<Chart | null>
  readonly plot: Plot | null
  readonly question: TreeQuestion
  readonly change: (mutate: (plot: Plot) => void) => void
}

/** Children by pages, each beginning where the one before ended. */
export function useChildren({ chart, plot, question, change }: ChildrenOptions) {
  const sayFailure = useFailureText()
  const [loadChildren] = useLazyTreeChildrenQuery()

  /** @returns whether they are there */
  const load = async (node: number, count: number): Promise<boolean> => {
    const member = plot?.member(node)
    if (plot === null || member === undefined) return false
    const page = { childrenOf: member.node.id, offset: member.paged, count }
    const answer = await loadChildren({ ...question, ...page }, true)
    if (answer.data === undefined) {
      toast.error(sayFailure(answer.error as Failure | undefined))
      return false
    }
    const nodes = answer.data
    // Another network may have taken its place meanwhile.
    if (chart.current?.plot === plot) change((drawn) => drawn.mergePage(node, nodes))
    return true
  }
  /** Goes along with what offers the next page. */
  const loadMore = async (node: number) => {
    if (!(await load(node, PAGE_STEP)) || plot === null) return
    chart.current?.reveal([...kidsOf(plot.layout, node)].at(-1) ?? node)
  }

  return { load, loadMore }
}
