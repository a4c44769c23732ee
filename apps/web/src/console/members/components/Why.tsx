import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { Link } from '../../../ui/Link.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { runLink } from '../../shared/place.ts'
import { useWhyOfMemberQuery } from '../api.ts'

/** Why a payment is what it is: what the member reads, and the run. */
export function Why({ id, payment }: { id: string; payment: number }) {
  const { t } = useTranslation('console/members')
  return (
    <div className="panel stack-8">
      <Loaded query={useWhyOfMemberQuery({ id, payment })} hold={<Skeleton width="80%" height={90} />}>
        {(why) => (
          <>
            <p>{why.sentence}</p>
            <p className="muted">{why.rule}</p>
            <dl className="figures">
              {why.inputs.map((input) => (
                <Fact key={input.name} name={input.label}>
                  {input.value}
                </Fact>
              ))}
            </dl>
            {why.arithmetic.map((step) => (
              <p key={step} className="tabular">
                {step}
              </p>
            ))}
            <p className="small">
              <Link to={runLink(why.run.id)}>{t('movements.run', { id: why.run.id })}</Link>{' '}
              <span>{`· ${why.run.period} · ${t('planVersion', { version: why.plan_version })}`}</span>
            </p>
          </>
        )}
      </Loaded>
    </div>
  )
}
