import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../../ui/format.ts'
import { IconChevronRight } from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { picturePath } from '../../../../ui/picturePath.ts'
import type { Act } from '../chart/cards.ts'
import { isActive, isVacant, type Plot } from '../plot.ts'
import { listKeyOf, type Row, rowsOf } from '../rows.ts'
import { useCardTexts } from '../useCardTexts.ts'
import './list.css'

interface TreeListProps {
  readonly plot: Plot
  /** Where the keyboard is. */
  readonly current: number
  readonly onCurrent: (node: number) => void
  readonly onAct: (act: Act, node: number, byKey?: boolean) => void
  /** Opens or closes, invites, or shows more, as a key asks for. */
  readonly onPress: (node: number) => void
  readonly onSearch: () => void
}

/** Pixels. All lines are of one height, so that where each stands is known without drawing it. */
const LINE = 60
/** Further generations stand below each other: on a phone there is no room to go on. */
const MOST_INDENTED = 7

/** The open network as a list that is indented by generation, the same for eyes, fingers, the keyboard and screen readers. */
export function TreeList({ plot, current, onCurrent, onAct, onPress, onSearch }: TreeListProps) {
  const { t } = useTranslation('genealogy/tree')
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const rows = rowsOf(plot)
  const at = rows.findIndex(({ node }) => node === current)
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE,
    overscan: 10,
  })
  useEffect(() => {
    if (at > 0) lines.scrollToIndex(at, { align: 'auto' })
  }, [at, lines])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = listKeyOf(event.key, plot, rows, current)
    if (key === null) return
    event.preventDefault()
    if (key.does === 'go') onCurrent(key.to)
    else if (key.does === 'search') onSearch()
    else if (key.does === 'press') onPress(current)
    else onAct(key.does, current, true)
  }
  return (
    <div className="tree-list" ref={frame}>
      <div
        className="tree-lines"
        style={{ height: lines.getTotalSize() }}
        role="tree"
        tabIndex={0}
        aria-label={t('spoken.label')}
        aria-describedby={`${id}-keys`}
        aria-activedescendant={`${id}-${current}`}
        onKeyDown={onKeyDown}
      >
        {lines.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <Line
              key={row.node}
              id={`${id}-${row.node}`}
              plot={plot}
              row={row}
              start={start}
              isCurrent={row.node === current}
              onAct={onAct}
            />
          )
        })}
        <span id={`${id}-keys`} hidden>
          {t('list.keys')}
        </span>
      </div>
    </div>
  )
}

interface LineProps {
  readonly id: string
  readonly plot: Plot
  readonly row: Row
  /** Pixels from the top. */
  readonly start: number
  readonly isCurrent: boolean
  readonly onAct: TreeListProps['onAct']
}

function Line({ id, plot, row, start, isCurrent, onAct }: LineProps) {
  const { node, level, position, siblings } = row
  const item = plot.items[node]
  if (item === undefined) return null
  const act = item.kind === 'more' ? 'more' : isVacant(item) ? 'invite' : 'select'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the tree's, which has the focus
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      className="tree-line"
      data-kind={act}
      aria-level={level + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isCurrent}
      {...(plot.canOpen(node) ? { 'aria-expanded': plot.isOpen(node) } : {})}
      style={{
        height: LINE,
        transform: `translateY(${start}px)`,
        paddingInlineStart: `calc(8px + ${Math.min(level, MOST_INDENTED)} * var(--tree-indent))`,
      }}
      onClick={() => onAct(act, node)}
    >
      <Toggle plot={plot} node={node} onAct={onAct} />
      {item.kind === 'member' && !isVacant(item) ? (
        <Person plot={plot} node={node} member={item.node} />
      ) : (
        <Offer plot={plot} node={node} />
      )}
    </div>
  )
}

/** For the pointer: the keyboard and a screen reader have it in the line itself. */
function Toggle({ plot, node, onAct }: Pick<LineProps, 'plot' | 'onAct'> & { node: number }) {
  if (!plot.canOpen(node)) return <span className="tree-line-toggle" />
  const count = plot.member(node)?.node.children_count ?? 0
  return (
    <button
      type="button"
      className="tree-line-toggle muted small"
      tabIndex={-1}
      aria-hidden="true"
      data-open={plot.isOpen(node)}
      onClick={(event) => {
        event.stopPropagation()
        onAct('toggle', node)
      }}
    >
      <IconChevronRight size={16} stroke={2} />
      {count === 0 ? null : <span>{formats.count(count)}</span>}
    </button>
  )
}

type Member = Extract<Plot['items'][number], { kind: 'member' }>['node']

/** On which side of the binary tree somebody stands. */
const ARROWS = { L: '←', R: '→' } as const

function Person({ plot, node, member }: Pick<LineProps, 'plot'> & { node: number; member: Member }) {
  const { t } = useTranslation('genealogy/tree')
  const leg = plot.legOf(node)
  const active = isActive(member)
  return (
    <>
      <img
        src={picturePath(member.imageUrl)}
        alt=""
        width={36}
        height={36}
        loading="lazy"
        data-master={member.is_master_code}
      />
      <span className="tree-line-who">
        <strong>
          <Name text={member.name === '' ? t('noName') : member.name} />
        </strong>
        <span className="muted small">
          {leg === null ? null : <span aria-hidden="true">{`${ARROWS[leg]} `}</span>}
          <Name text={member.username} />
          {leg === null ? null : <span className="visually-hidden">{`, ${t(`side.${leg}`)}`}</span>}
          {member.is_master_code ? <span>{` · ${t('master')}`}</span> : null}
        </span>
      </span>
      <span className="tree-line-what">
        <span>{formats.money(member.plan_name)}</span>
        <span className="tree-line-state muted small" data-active={active}>
          {t(active ? 'active' : 'inactive')}
        </span>
      </span>
      <span className="visually-hidden">{t('spoken.children', { count: member.children_count })}</span>
    </>
  )
}

/** A vacant place, or those who are not loaded. */
function Offer({ plot, node }: Pick<LineProps, 'plot'> & { node: number }) {
  const texts = useCardTexts()
  if (!plot.isVacant(node))
    return (
      <span className="tree-line-offer">
        {texts.more(plot.missing(plot.layout.columns.parent[node] ?? 0))}
      </span>
    )
  return (
    <span className="tree-line-who">
      <span className="muted">{texts.vacant(plot.legOf(node))}</span>
      <span className="tree-line-offer small">{texts.invite}</span>
    </span>
  )
}
