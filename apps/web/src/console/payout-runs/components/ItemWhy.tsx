import type { RunItem } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useMemberWhyQuery } from '../api.ts'

/** How an item was computed, as its member reads it. */
export function ItemWhy({ item }: { item: RunItem }) {
  const { t } = useTranslation('console/payout-runs')
  const { member_id: member, payment } = item
  if (payment === null) return <p className="muted">{t('read.noWhy')}</p>
  return <Computation member={member} payment={payment} />
}

function Computation({ member, payment }: { member: number; payment: number }) {
  const query = useMemberWhyQuery({ member, payment })
  return (
    <Loaded query={query} hold={<Skeleton width="100%" height={92} />}>
      {(why) => (
        <div className="row-detail box stack-8">
          <p>{why.sentence}</p>
          <p className="muted small">{why.rule}</p>
          <dl className="figures">
            {why.inputs.map(({ name, label, value }) => (
              <Fact key={name} small name={label}>
                {value}
              </Fact>
            ))}
          </dl>
          <ol className="run-arithmetic">
            {[...why.arithmetic.entries()].map(([place, step]) => (
              // Two steps may read the same; their places do not.
              <li key={`${place} ${step}`}>{formats.arithmetic(step)}</li>
            ))}
          </ol>
        </div>
      )}
    </Loaded>
  )
}
