import { pathTo } from '@aval/genealogy'
import { useTranslation } from 'react-i18next'
import { IconChevronRight } from '../../../../ui/icons.ts'
import type { Plot } from '../plot.ts'

interface TrailProps {
  readonly plot: Plot
  readonly current: number
  /** Only a part of the network is shown. */
  readonly isPart: boolean
  readonly onGo: (id: string) => void
  readonly onTop: () => void
}

/** Of a long way its beginning and its end. */
const END = 3

export function shortened(path: readonly number[]): (number | null)[] {
  if (path.length <= END + 2) return [...path]
  return [path[0] ?? 0, null, ...path.slice(-END)]
}

/** The way from the top to who is chosen. */
export function Trail({ plot, current, isPart, onGo, onTop }: TrailProps) {
  const { t } = useTranslation('genealogy/tree')
  const nameOf = (node: number) => {
    const member = plot.member(node)?.node
    return member === undefined ? '' : member.name || member.username
  }
  const path = (plot.items[current] === undefined ? [] : pathTo(plot.layout, current)).filter(
    (node) => plot.member(node) !== undefined && !plot.isVacant(node),
  )
  if (path.length < 2 && !isPart) return null
  return (
    <nav className="tree-trail" aria-label={t('trail.label')} data-overlay>
      <ol>
        {isPart ? (
          <li>
            <button type="button" onClick={onTop}>
              {t('trail.top')}
            </button>
            <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
          </li>
        ) : null}
        {shortened(path).map((node) =>
          node === null ? (
            <li key="gap">
              <span title={t('trail.gap', { count: path.length - END - 1 })}>…</span>
              <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
            </li>
          ) : (
            <li key={node}>
              <button
                type="button"
                aria-current={node === path.at(-1) ? 'location' : undefined}
                onClick={() => onGo(plot.member(node)?.node.id ?? '')}
              >
                {nameOf(node)}
              </button>
              {node === path.at(-1) ? null : <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />}
            </li>
          ),
        )}
      </ol>
    </nav>
  )
}
