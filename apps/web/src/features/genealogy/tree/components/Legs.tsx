import { useTranslation } from 'react-i18next'
import { Money } from '../../../../ui/Money.tsx'
import { Skeleton } from '../../../../ui/States.tsx'
import { useTreeMemberQuery } from '../api.ts'
import type { MemberItem } from '../plot.ts'

interface LegsProps {
  /** Undefined while the network is on its way: the place is held, so that the chart below does not move. */
  top: MemberItem | undefined
  isOwn: boolean
}

/** What is invested on each side below the first member that is shown, today. */
export function Legs({ top, isOwn }: LegsProps) {
  const { t } = useTranslation('genealogy/tree')
  const query = useTreeMemberQuery(top?.node.id ?? '', { skip: top === undefined })
  const details = top === undefined ? undefined : query.currentData
  if (details === undefined && query.isError) return null
  const name = top === undefined ? '…' : top.node.name || top.node.username
  return (
    <div className="tree-setting">
      <p className="muted small">{isOwn ? t('legs.label') : t('legs.labelOf', { name })}</p>
      <dl className="tree-legs">
        {(['left', 'right'] as const).map((side) => (
          <div key={side} data-side={side}>
            <dt className="visually-hidden">{t(`legs.${side}`)}</dt>
            <dd title={t(`legs.${side}`)}>
              {details === undefined ? (
                <Skeleton width={84} height={20} />
              ) : (
                <Money amount={details.leg_volumes[side]} unit={false} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
