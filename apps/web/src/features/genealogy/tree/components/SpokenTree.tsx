import { type KeyboardEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../../ui/format.ts'
import { neighbourhood } from '../keys.ts'
import { isActive, isVacant, type Plot } from '../plot.ts'

interface SpokenTreeProps {
  readonly plot: Plot
  readonly current: number
  /** @returns whether the key meant something */
  readonly onKey: (key: string) => boolean
  readonly onPress: (node: number) => void
  readonly onSelect: (node: number) => void
}

/**
 * The tree as the keyboard and a screen reader have it: one stop for the Tab key, and around the node on which the keyboard
 * is, everybody that is near. It lies over the chart and lets every touch through.
 */
export function SpokenTree({ plot, current, onKey, onPress, onSelect }: SpokenTreeProps) {
  const { t } = useTranslation('genealogy/tree')
  const id = useId()
  const near = neighbourhood(plot, current)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (onKey(event.key)) event.preventDefault()
  }
  const family = [...near.before, current, ...near.after]
  const item = (node: number, position: number, size: number) => {
    const isMember = plot.member(node) !== undefined && !plot.isVacant(node)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the tree's, which has the focus
      <div
        key={node}
        id={`${id}-${node}`}
        role="treeitem"
        tabIndex={-1}
        className="visually-hidden"
        aria-level={(plot.layout.columns.level[node] ?? 0) + 1}
        aria-posinset={position}
        aria-setsize={size}
        aria-selected={node === current}
        {...(plot.canOpen(node) ? { 'aria-expanded': plot.isOpen(node) } : {})}
        onClick={() => (isMember ? onSelect(node) : onPress(node))}
      >
        <Spoken plot={plot} node={node} />
      </div>
    )
  }
  const above = near.above.map((node) => item(node, 1, 1))
  const beside = family.map((node, at) => item(node, near.firstPosition + at, near.siblings))
  const below = near.below.map((node, at) => item(node, at + 1, plot.layout.columns.kids[current] ?? 1))
  const split = near.before.length + 1
  return (
    <div
      className="tree-spoken"
      role="tree"
      tabIndex={0}
      aria-label={t('spoken.label')}
      aria-describedby={`${id}-keys`}
      aria-activedescendant={`${id}-${current}`}
      onKeyDown={onKeyDown}
    >
      {above}
      {beside.slice(0, split)}
      {below}
      {beside.slice(split)}
      <span id={`${id}-keys`} hidden>
        {t('spoken.keys')}
      </span>
    </div>
  )
}

function Spoken({ plot, node }: { plot: Plot; node: number }) {
  const { t } = useTranslation('genealogy/tree')
  const item = plot.items[node]
  if (item === undefined) return null
  if (item.kind === 'more') {
    const count = plot.missing(plot.layout.columns.parent[node] ?? 0)
    return <span>{t('spoken.more', { count })}</span>
  }
  const leg = plot.legOf(node)
  if (item.kind === 'vacant' || isVacant(item))
    return <span>{leg === null ? t('vacant.place') : t(`vacant.place${leg}`)}</span>
  const { node: member } = item
  const said = [
    member.name === '' ? t('noName') : member.name,
    member.username,
    `${formats.points(member.plan_name)} USD`,
    t(isActive(member) ? 'active' : 'inactive'),
    ...(leg === null ? [] : [t(`side.${leg}`)]),
    ...(member.is_master_code ? [t('master')] : []),
    t('spoken.children', { count: member.children_count }),
  ]
  return <span>{said.join(', ')}</span>
}
