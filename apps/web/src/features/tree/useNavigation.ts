import { pathTo } from '@aval/genealogy'
import { type RefObject, useCallback, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { useFailureText } from '../../ui/useFailureText.ts'
import { useLazyTreeWayQuery } from './api.ts'
import type { Chart } from './chart/chart.ts'
import { nearestShown, PAGE_STEP, type Plot } from './plot.ts'
import type { TreeQuestion } from './questions.ts'
import { useChildren } from './useChildren.ts'
import { rootFor } from './way.ts'

interface NavigationOptions {
  readonly chart: RefObject<Chart | null>
  readonly plot: Plot | null
  readonly question: TreeQuestion
  readonly onRoot: (root: string | null, node: string) => void
}

/** Going about in the network: opening, closing, loading more, and finding the way to somebody. */
export function useNavigation({ chart, plot, question, onRoot }: NavigationOptions) {
  const { t } = useTranslation('tree')
  const sayFailure = useFailureText()
  const [loadWay] = useLazyTreeWayQuery()
  const [current, setCurrentNode] = useState(0)
  // What is drawn changed under React's feet.
  const [, setVersion] = useState(0)
  const changed = useCallback(() => setVersion((version) => version + 1), [])

  const setCurrent = (node: number) => {
    setCurrentNode(node)
    chart.current?.setCurrent(node)
  }
  const change = (mutate: (plot: Plot) => void) => {
    chart.current?.change(mutate)
    // The keyboard does not stay with somebody who is shown no more.
    if (plot !== null) setCurrent(nearestShown(plot.layout, current))
    changed()
  }

  const { load, loadMore } = useChildren({ chart, plot, question, change })

  const toggle = async (node: number) => {
    if (plot === null || !plot.canOpen(node)) return
    setCurrent(node)
    if (plot.isOpen(node)) change((drawn) => drawn.close(node))
    else {
      const isEmpty = plot.member(node)?.kids.length === 0 && plot.missing(node) > 0
      if (isEmpty && !(await load(node, PAGE_STEP))) return
      change((drawn) => drawn.open(node))
    }
    chart.current?.centre(node, { withKids: true })
  }

  const goTo = async (id: string) => {
    // Where nobody is drawn, today's way to somebody would be drawn as if it had been there that day.
    if (plot === null || plot.items.length === 0) return
    if (plot.indexOf(id) === undefined) {
      const answer = await loadWay({ id, view: question.view }, true)
      if (answer.data === undefined) {
        const { status } = (answer.error as Failure | undefined) ?? {}
        toast.error(status === 404 ? t('search.gone') : sayFailure(answer.error as Failure | undefined))
        return
      }
      if (chart.current?.plot !== plot) return
      plot.merge(answer.data)
      if (plot.indexOf(id) === undefined) {
        onRoot(rootFor(answer.data, question.root), id)
        return
      }
    }
    const node = plot.indexOf(id) ?? 0
    change((drawn) => drawn.openTo(node))
    setCurrent(node)
    chart.current?.mark(node === 0 ? new Set() : new Set(pathTo(plot.layout, node)))
    chart.current?.centre(node, { readable: true, withKids: true, besideSheet: true })
  }

  return { current, setCurrent, change, load, loadMore, toggle, goTo, changed }
}
