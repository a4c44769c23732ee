import { kidsOf, pathTo } from '@aval/genealogy'
import { type RefObject, useCallback, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useLazyTreeChildrenQuery, useLazyTreeWayQuery } from './api.ts'
import type { Chart } from './chart/chart.ts'
import { nearestShown, PAGE_STEP, type Plot, rootFor } from './plot.ts'
import type { TreeQuestion } from './questions.ts'

/** Another network may have taken its place. Where there is no chart, the list shows the plot that it was given. */
const isShown = (chart: Chart | null, plot: Plot) => chart === null || chart.plot === plot

interface NavigationOptions {
  readonly chart: RefObject<Chart | null>
  readonly plot: Plot | null
  readonly question: TreeQuestion
  readonly onRoot: (root: string | null, node: string) => void
}

/** Going about in the network: opening, closing, loading more, and finding the way to a member. */
export function useNavigation({ chart, plot, question, onRoot }: NavigationOptions) {
  const { t } = useTranslation('genealogy/tree')
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
  /** @param node where the keyboard focus is then, or the nearest node still shown */
  const change = (mutate: (plot: Plot) => void, node = current) => {
    // The list draws what the plot says then.
    if (chart.current === null) {
      if (plot !== null) mutate(plot)
    } else chart.current.change(mutate)
    if (plot !== null) setCurrent(nearestShown(plot.layout, node))
    changed()
  }

  const { load, loadMore } = useChildren({ chart, plot, question, change })

  const toggle = async (node: number) => {
    if (plot === null || !plot.canOpen(node)) return
    setCurrent(node)
    if (plot.isOpen(node)) change((drawn) => drawn.close(node), node)
    else {
      const isEmpty = plot.member(node)?.kids.length === 0 && plot.missing(node) > 0
      if (isEmpty && !(await load(node, PAGE_STEP))) return
      change((drawn) => drawn.open(node), node)
    }
    chart.current?.centre(node, { withKids: true })
  }

  const goTo = async (id: string) => {
    if (plot === null) return
    if (plot.indexOf(id) === undefined) {
      const { view, asOf, of } = question
      const answer = await loadWay({ id, view, asOf, of }, true)
      if (answer.data === undefined) {
        const failure = answer.error as Failure | undefined
        const nobody = asOf === null ? t('search.gone') : t('search.notYet')
        toast.error(failure?.status === 404 ? nobody : sayFailure(failure))
        return
      }
      if (!isShown(chart.current, plot)) return
      plot.merge(answer.data)
      if (plot.indexOf(id) === undefined) {
        onRoot(rootFor(answer.data, question.root), id)
        return
      }
    }
    const node = plot.indexOf(id) ?? 0
    change((drawn) => drawn.openTo(node), node)
    chart.current?.mark(node === 0 ? new Set() : new Set(pathTo(plot.layout, node)))
    chart.current?.centre(node, { readable: true, withKids: true, besideSheet: true })
  }

  return { current, setCurrent, change, load, loadMore, toggle, goTo, changed }
}

interface ChildrenOptions extends Omit<NavigationOptions, 'onRoot'> {
  readonly change: (mutate: (plot: Plot) => void) => void
}

/** Children by pages, each beginning where the one before ended. */
function useChildren({ chart, plot, question, change }: ChildrenOptions) {
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
    if (isShown(chart.current, plot)) change((drawn) => drawn.mergePage(node, nodes))
    return true
  }
  const loadMore = async (node: number) => {
    if (!(await load(node, PAGE_STEP)) || plot === null) return
    chart.current?.reveal([...kidsOf(plot.layout, node)].at(-1) ?? node)
  }

  return { load, loadMore }
}
