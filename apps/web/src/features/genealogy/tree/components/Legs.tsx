import { useTranslation } from 'react-i18next'
import { Money } from '../../../../ui/Money.tsx'
import { Skeleton } from '../../../../ui/States.tsx'
import { useTreeMemberQuery } from '../api.ts'
import type { MemberItem } from '../plot.ts'

/** What is invested on each side below the first member that is shown, today. */
export function Legs({ top, isOwn }: { top: MemberItem; isOwn: boolean }) {
  const { t } = useTranslation('genealogy/tree')
  const { currentData: details, isError } = useTreeMemberQuery(top.node.id)
  if (details === undefined && isError) return null
  const name = top.node.name || top.node.username
  return (
    <div className="tree-setting">
      <p className="muted small">{isOwn ? t('legs.label') : t('legs.labelOf', { name })}</p>
      <dl className="tree-legs">
        {(['left', 'right'] as const).map((side) => (
          <div key={side} data-side={side}>
            <dt className="visually-hidden">{t(`legs.${side}`)}</dt>
            <dd title={t(`legs.${side}`)}>
              {details === undefined ? (
                <Skeleton width={72} height={14} />
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
