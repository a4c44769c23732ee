import { pathTo } from '@aval/genealogy'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { IconChevronRight, IconShare } from '../../../../ui/icons.ts'
import { ReferralLink, referralUrl } from '../../../../ui/ReferralLink.tsx'
import type { Plot } from '../plot.ts'
import './overlays.css'

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

function shortened(path: readonly number[]): (number | null)[] {
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

export function Loading() {
  const { t } = useTranslation('genealogy/tree')
  return (
    <div className="tree-loading" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      <span className="skeleton" aria-hidden="true" />
      <div aria-hidden="true">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    </div>
  )
}

interface NewcomerProps {
  readonly plot: Plot
  readonly refCode: string | undefined
  /** Of a day that is over nobody can make more. */
  readonly isPast: boolean
}

/** Shown where the network is empty: how to begin, or that on a past day there was nobody. */
export function Newcomer({ plot, refCode, isPast }: NewcomerProps) {
  const { t } = useTranslation(['genealogy/tree', 'ui'])
  const top = plot.member(0)
  if (top !== undefined && (top.kids.length > 0 || top.node.children_count > 0)) return null
  return (
    <div className="panel stack-12 tree-note" data-alone={top === undefined} data-overlay>
      <p>{t(isPast ? 'genealogy/tree:emptyThen' : 'genealogy/tree:empty')}</p>
      {refCode === undefined || isPast ? null : (
        <CopyButton
          size="small"
          text={referralUrl(refCode)}
          label={t('ui:copyLink')}
          confirmation={t('ui:linkCopied')}
        />
      )}
    </div>
  )
}

interface PlacementInvitationProps {
  readonly plot: Plot
  /** The vacant place. */
  readonly node: number
  readonly refCode: string | undefined
  readonly onClose: () => void
}

/** The link for a new member at a vacant place, and what decides who gets that place. */
export function PlacementInvitation({ plot, node, refCode, onClose }: PlacementInvitationProps) {
  const { t } = useTranslation('genealogy/tree')
  const parent = plot.member(plot.layout.columns.parent[node] ?? 0)
  const name = parent?.node.name || parent?.node.username || ''
  const leg = plot.legOf(node)
  const share = () => {
    // Closing the system's sheet is a decision, not a failure.
    navigator.share({ url: referralUrl(refCode ?? '') }).catch(() => undefined)
  }
  return (
    <Dialog title={t('vacant.invite')} width={520} onClose={onClose}>
      <div className="stack-16">
        <p>{leg === null ? t('vacant.text') : t(`vacant.text${leg}`, { name })}</p>
        <ReferralLink refCode={refCode} qr />
        {'share' in navigator && refCode !== undefined ? (
          <Button icon={<IconShare size={17} stroke={1.7} />} onClick={share}>
            {t('vacant.share')}
          </Button>
        ) : null}
        <p className="muted small">{t('vacant.rule')}</p>
      </div>
    </Dialog>
  )
}
