import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { lazyPart } from '../../../../ui/lazyPart.ts'
import { Overlay } from '../../../../ui/Overlay.tsx'
import { ErrorState } from '../../../../ui/States.tsx'
import type { Act } from '../chart/cards.ts'
import { Chart } from '../chart/chart.ts'
import { actionOf } from '../keys.ts'
import type { Mode } from '../mode.ts'
import { PAGE_LIMIT, type Plot } from '../plot.ts'
import type { Place } from '../questions.ts'
import { useCardTexts } from '../useCardTexts.ts'
import { useNavigation } from '../useNavigation.ts'
import type { Network } from '../useNetwork.ts'
import { MemberSheet } from './MemberSheet.tsx'
import { Loading, Newcomer, PlacementInvitation, Trail } from './Overlays.tsx'
import { SpokenTree } from './SpokenTree.tsx'
import { Toolbar, ZOOM_STEP } from './Toolbar.tsx'

const TreeList = lazyPart(async () => ({ default: (await import('./TreeList.tsx')).TreeList }))

interface TreeBoardProps {
  readonly network: Network | null
  readonly isStarted: boolean
  readonly isFetching: boolean
  readonly failure: Failure | undefined
  readonly onRetry: () => void
  readonly place: Place
  readonly show: (change: Partial<Place>) => void
  readonly refCode: string | undefined
  readonly onSearch: () => void
  readonly mode: Mode
  /** Of another member's network, for reading: who is pressed is gone to, and vacant places are nobody's to fill. */
  readonly onMember?: (id: string) => void
}

/** The body of the card: the chart, what lies over it, and what a screen reader hears of it. */
export function TreeBoard(props: TreeBoardProps) {
  const { network, isStarted, isFetching, place, show, mode } = props
  const { t } = useTranslation('genealogy/tree')
  const [isFull, setFull] = useState(false)
  const board = useBoard(props)
  const { chart, view, navigation, plot, isDrawn, selected, invited } = board
  // Of another network, until the chart has it too.
  const current = plot?.items[navigation.current] === undefined ? 0 : navigation.current
  return (
    <div className="tree-board" data-full={isFull} aria-busy={!isDrawn || isFetching}>
      {/* Filled in by the chart. Hidden from screen readers, which read the tree below. */}
      {mode === 'chart' ? <div className="tree-view" ref={view} aria-hidden="true" /> : null}
      {plot !== null && isDrawn && plot.items.length > 0 ? (
        <Members board={board} plot={plot} current={current} mode={mode} onSearch={props.onSearch} />
      ) : null}
      {isDrawn ? null : <Loading />}
      {plot === null || mode === 'list' ? null : (
        <Trail
          plot={plot}
          current={selected ?? current}
          isPart={place.root !== null}
          onGo={(id) => show({ node: id })}
          onTop={() => show({ root: null, node: null })}
        />
      )}
      <Toolbar
        chart={chart}
        plot={plot}
        isList={mode === 'list'}
        isFull={isFull}
        onFull={setFull}
        onOpenAll={() => openEverybody(board)}
        onCloseAll={() => closeEverybody(board)}
      />
      {isDrawn && plot !== null && props.onMember === undefined ? (
        <Newcomer plot={plot} refCode={props.refCode} isPast={network?.answer.question.asOf != null} />
      ) : null}
      {network === null ? null : <TreeFailure failure={props.failure} onRetry={props.onRetry} />}
      {selected !== null && plot !== null && isStarted ? (
        <MemberSheet
          key={place.node}
          member={plot.member(selected)}
          view={plot.view}
          asOf={place.asOf}
          isTop={selected === 0}
          takesFocus={board.isByKey}
          onClose={board.onCloseSheet}
          onCentre={() =>
            chart.current?.centre(selected, { withKids: true, readable: true, besideSheet: true })
          }
          onStartHere={() => show({ root: place.node })}
        />
      ) : null}
      {invited === null || plot === null ? null : (
        <PlacementInvitation
          plot={plot}
          node={invited}
          refCode={props.refCode}
          onClose={board.onCloseInvitation}
        />
      )}
      <p className="visually-hidden" role="status">
        {isFetching ? t('loading') : ''}
      </p>
    </div>
  )
}

interface MembersProps extends Pick<TreeBoardProps, 'mode' | 'onSearch'> {
  readonly board: Board
  readonly plot: Plot
  readonly current: number
}

/** Everybody, as the keyboard and a screen reader have them: in the list for the eye as well. */
function Members({ board, plot, current, mode, onSearch }: MembersProps) {
  if (mode === 'list')
    return (
      <Overlay onClose={() => undefined}>
        <TreeList
          plot={plot}
          current={current}
          onCurrent={board.navigation.setCurrent}
          onAct={board.onAct}
          onPress={board.onPress}
          onSearch={onSearch}
        />
      </Overlay>
    )
  return (
    <SpokenTree
      plot={plot}
      current={current}
      onKey={board.onKey}
      onPress={board.onPress}
      onSelect={(node) => board.onAct('select', node)}
    />
  )
}

function TreeFailure({ failure, onRetry }: Pick<TreeBoardProps, 'failure' | 'onRetry'>) {
  if (failure === undefined) return null
  return (
    <div className="panel tree-note" data-overlay>
      <ErrorState failure={failure} onRetry={onRetry} />
    </div>
  )
}

type Board = ReturnType<typeof useBoard>

function openEverybody({ chart, navigation, plot }: Board): void {
  navigation.change((drawn) => drawn.openAll())
  if ((plot?.layout.columns.size[0] ?? 0) <= EASILY_SEEN) chart.current?.showAll()
  else chart.current?.centre(0, { withKids: true })
}

function closeEverybody({ chart, navigation }: Board): void {
  navigation.change((drawn) => drawn.closeAll())
  chart.current?.centre(0, { withKids: true })
}

/** What pressing a place does. */
function pressActOf(plot: Plot | null, node: number): Act {
  if (plot?.isVacant(node)) return 'invite'
  return plot?.items[node]?.kind === 'more' ? 'more' : 'toggle'
}

function useBoard({ network, isStarted, place, show, onSearch, mode, onMember }: TreeBoardProps) {
  const view = useRef<HTMLDivElement>(null)
  const chart = useRef<Chart | null>(null)
  const plot = isStarted ? (network?.plot ?? null) : null
  const [isByKey, setByKey] = useState(false)
  const [invited, setInvited] = useState<number | null>(null)
  const navigation = useNavigation({
    chart,
    plot,
    question: network?.answer.question ?? place,
    onRoot: (root, node) => show({ root, node }),
  })
  const selected = (place.node === null ? null : plot?.indexOf(place.node)) ?? null

  const onAct = (act: Act, node: number, byKey = false) => {
    const parent = plot?.layout.columns.parent[node] ?? 0
    setByKey(byKey)
    const member = plot?.member(node)
    if (act === 'toggle') void navigation.toggle(node)
    else if (act === 'invite' && onMember === undefined) setInvited(node)
    else if (act === 'more') void navigation.loadMore(parent)
    else if (act === 'all') void navigation.load(parent, PAGE_LIMIT)
    else if (member !== undefined && member.node.username !== 'None') {
      navigation.setCurrent(node)
      if (onMember === undefined) show({ node: member.node.id })
      else onMember(member.node.id)
    } else navigation.setCurrent(node)
  }
  const onPress = (node: number) => onAct(pressActOf(plot, node), node, true)
  const onKey = (key: string): boolean => {
    const action = plot === null ? null : actionOf(key, plot, navigation.current)
    if (action === null) return false
    if (action.does === 'go') {
      navigation.setCurrent(action.to)
      chart.current?.reveal(action.to)
    } else if (action.does === 'press') onPress(navigation.current)
    else if (action.does === 'select') onAct('select', navigation.current, true)
    else if (action.does === 'search') onSearch()
    else if (action.does === 'fit') chart.current?.showAll()
    else chart.current?.zoomBy(action.does === 'zoomIn' ? ZOOM_STEP : 1 / ZOOM_STEP)
    return true
  }

  const nodeId = place.node
  useChart({ view, chart, network, plot, nodeId, navigation, onAct, mode, isRead: onMember !== undefined })
  return {
    chart,
    view,
    navigation,
    plot,
    isDrawn: plot !== null,
    selected,
    invited,
    isByKey,
    onAct,
    onPress,
    onKey,
    onCloseSheet: () => {
      chart.current?.mark(new Set())
      show({ node: null })
    },
    onCloseInvitation: () => setInvited(null),
  }
}

/** More than these, all in sight, are specks. */
const EASILY_SEEN = 150

interface ChartOptions {
  readonly view: RefObject<HTMLElement | null>
  readonly chart: RefObject<Chart | null>
  readonly network: Network | null
  readonly plot: Network['plot'] | null
  readonly nodeId: string | null
  readonly navigation: ReturnType<typeof useNavigation>
  readonly onAct: (act: Act, node: number) => void
  readonly mode: Mode
  readonly isRead: boolean
}

/** Keeps the chart and the state of React in step. */
function useChart(options: ChartOptions): void {
  const { view, chart, network, plot, nodeId, navigation, onAct, mode, isRead } = options
  const texts = useCardTexts(isRead)
  const act = useEffectEvent(onAct)
  const goTo = useEffectEvent((id: string) => void navigation.goTo(id))
  const showPlot = useEffectEvent((shown: Network['plot'] | null) => {
    chart.current?.setPlot(shown, network?.isRenewed ?? false)
    navigation.setCurrent(0)
    navigation.changed()
  })

  useEffect(() => {
    if (mode === 'list' || view.current === null) return
    const made = new Chart(view.current, { texts, onAct: (pressed, node) => act(pressed, node) })
    chart.current = made
    return () => {
      made.stop()
      chart.current = null
    }
  }, [texts, view, chart, mode])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that is made anew gets it again
  useEffect(() => showPlot(plot), [plot, mode])
  // biome-ignore lint/correctness/useExhaustiveDependencies: and there one goes again
  useEffect(() => {
    if (plot !== null && nodeId !== null) goTo(nodeId)
  }, [plot, nodeId, mode])
}
