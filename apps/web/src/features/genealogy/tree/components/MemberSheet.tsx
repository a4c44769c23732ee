import type { TreeMember, TreeNode, TreeView } from '@aval/contract'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconCrosshair, IconHierarchy2, IconX } from '../../../../ui/icons.ts'
import { Money } from '../../../../ui/Money.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { picturePath } from '../../../../ui/picturePath.ts'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { useTreeMemberQuery } from '../api.ts'
import { isActive, type MemberItem } from '../plot.ts'
import './sheet.css'

interface MemberSheetProps {
  readonly member: MemberItem | undefined
  readonly view: TreeView
  readonly asOf: string | null
  readonly isTop: boolean
  /** Opened by a key: the focus moves there. */
  readonly takesFocus: boolean
  readonly onClose: () => void
  readonly onCentre: () => void
  readonly onStartHere: () => void
}

export function MemberSheet(props: MemberSheetProps) {
  const { member, takesFocus, onClose } = props
  const { t } = useTranslation(['genealogy/tree', 'ui'])
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    const opener = document.activeElement
    sheet.current?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [takesFocus])
  if (member === undefined) return null
  const { node } = member
  return (
    <aside
      ref={sheet}
      className="tree-sheet"
      aria-label={t('genealogy/tree:sheet.label', { name: node.name || node.username })}
      tabIndex={-1}
      data-overlay
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <SheetHead node={node} onClose={onClose} />
      <SheetFacts {...props} node={node} />
      <SheetActions {...props} />
    </aside>
  )
}

function SheetHead({ node, onClose }: { node: TreeNode; onClose: () => void }) {
  const { t } = useTranslation(['genealogy/tree', 'ui'])
  return (
    <header className="row-12 tree-sheet-head" data-master={node.is_master_code}>
      {node.imageUrl === '' ? null : <img src={picturePath(node.imageUrl)} alt="" width={48} height={48} />}
      <div>
        <h3>
          <Name text={node.name === '' ? t('genealogy/tree:noName') : node.name} />
        </h3>
        <p className="muted small">
          <Name text={node.username} />
        </p>
      </div>
      <IconButton Icon={IconX} size={19} label={t('ui:close')} onClick={onClose} />
    </header>
  )
}

type FactName = 'joined' | 'level' | 'direct' | 'team' | 'teamVolume' | 'left' | 'right'

const FACTS: readonly [name: FactName, value: (member: TreeMember) => ReactNode, only?: TreeView][] = [
  ['joined', ({ joined }) => formats.date(joined)],
  ['level', ({ level }) => formats.count(level)],
  ['direct', ({ direct }) => formats.count(direct)],
  ['team', ({ team }) => formats.count(team)],
  ['teamVolume', (member) => <Money amount={member.team_volume} />],
  ['left', (member) => <Money amount={member.leg_volumes.left} />, 'binary'],
  ['right', (member) => <Money amount={member.leg_volumes.right} />, 'binary'],
]

function SheetFacts({ node, view, asOf }: MemberSheetProps & { node: TreeNode }) {
  const { t } = useTranslation('genealogy/tree')
  const { currentData: details, error, isFetching, refetch } = useTreeMemberQuery(node.id)
  const failed = details === undefined && error !== undefined && !isFetching
  return (
    <>
      <div className="row-12 row-apart tree-sheet-amount">
        <p>
          <span className="muted small">{t('sheet.invested')}</span>
          <span className="figure">
            <Money amount={details?.invested ?? node.plan_name} />
          </span>
        </p>
        <Badges node={node} details={details} />
      </div>
      {failed ? (
        <ErrorState failure={error as Failure} onRetry={refetch} />
      ) : (
        <dl className="facts tree-facts">
          {FACTS.filter(([, , only]) => only === undefined || only === view).map(([name, value]) => (
            <Fact key={name} name={t(`sheet.${name}`)}>
              {details === undefined ? <Skeleton width={72} height={14} /> : value(details)}
            </Fact>
          ))}
        </dl>
      )}
      {asOf === null ? null : <p className="muted small">{t('sheet.asOfNow')}</p>}
    </>
  )
}

function Badges({ node, details }: { node: TreeNode; details: TreeMember | undefined }) {
  const { t } = useTranslation('genealogy/tree')
  const active = details?.active ?? isActive(node)
  return (
    <p className="row-8">
      <span className={`badge ${active ? 'badge-ok' : ''}`}>{t(active ? 'active' : 'inactive')}</span>
      {node.is_master_code ? <span className="badge badge-wait">{t('master')}</span> : null}
    </p>
  )
}

function SheetActions({ isTop, onCentre, onStartHere }: MemberSheetProps) {
  const { t } = useTranslation('genealogy/tree')
  return (
    <div className="row-8 tree-sheet-actions">
      <Button size="small" icon={<IconCrosshair size={16} stroke={1.7} />} onClick={onCentre}>
        {t('sheet.centre')}
      </Button>
      {isTop ? null : (
        <Button size="small" icon={<IconHierarchy2 size={16} stroke={1.7} />} onClick={onStartHere}>
          {t('sheet.startHere')}
        </Button>
      )}
      <CopyButton
        size="small"
        text={window.location.href}
        label={t('sheet.copy')}
        confirmation={t('sheet.copied')}
      />
    </div>
  )
}
