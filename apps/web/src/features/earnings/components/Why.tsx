import type { BinaryPayment, DirectPayment, PassivePayment, PaymentWhy } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useWhyQuery } from '../api.ts'
import { waitingState } from '../earnings.ts'
import './why.css'

export interface WhyProps {
  payment: Pick<DirectPayment | PassivePayment | BinaryPayment, 'id' | 'state' | 'why'>
}

/** Why a payment is what it is: the row's own sentence at once, and everything behind it as soon as it arrives. */
export function Why({ payment }: WhyProps) {
  const { t } = useTranslation('earnings')
  const query = useWhyQuery(payment.id)
  const waiting = waitingState(payment.state)
  return (
    <div className="panel stack-8 why">
      <p>{payment.why.sentence}</p>
      {waiting === null ? null : <p className="muted small">{t(`why.waiting.${waiting}`)}</p>}
      <Loaded query={query} hold={<WhySkeleton />}>
        {(why) => <WhyDetails why={why} />}
      </Loaded>
    </div>
  )
}

function WhyDetails({ why }: { why: PaymentWhy }) {
  const { t } = useTranslation('earnings')
  return (
    <div className="stack-16 why-details">
      <Part title={t('why.rule')}>
        <p>{why.rule}</p>
      </Part>
      {why.inputs.length === 0 ? null : (
        <Part title={t('why.inputs')}>
          <dl className="why-inputs">
            {why.inputs.map((input) => (
              <Fact small key={input.name} name={input.label}>
                {input.value}
              </Fact>
            ))}
          </dl>
        </Part>
      )}
      {why.arithmetic.length === 0 ? null : (
        <Part title={t('why.arithmetic')}>
          <ol className="why-arithmetic">
            {[...why.arithmetic.entries()].map(([place, step]) => (
              // Two steps may read the same; their places do not.
              <li key={`${place} ${step}`}>{formats.arithmetic(step)}</li>
            ))}
          </ol>
        </Part>
      )}
      <Part title={t('why.proof')}>
        <Run why={why} />
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack-6">
      <h3 className="muted small">{title}</h3>
      {children}
    </section>
  )
}

function Run({ why }: { why: PaymentWhy }) {
  const { t } = useTranslation('earnings')
  const { run } = why
  return (
    <dl className="why-inputs">
      <Fact small name={t('why.run')}>
        <span>{`${t('why.number', { id: run.id })} · `}</span>
        <Period period={run.period} />
      </Fact>
      <Fact small name={t('why.plan')}>
        {t('why.version', { version: why.plan_version })}
      </Fact>
      <Proof hash={run.input_hash} label={t('why.inputHash')} copy={t('why.copyInput')} />
      <Proof hash={run.items_hash} label={t('why.itemsHash')} copy={t('why.copyItems')} />
    </dl>
  )
}

/** A day; of a direct run the numbers of its first and last investment. */
function Period({ period }: { period: string }) {
  const { t } = useTranslation('earnings')
  if (/^\d{4}-\d\d-\d\d$/.test(period)) return <span>{formats.day(period)}</span>
  const [first, last] = period.split('-')
  if (last === undefined || first === last) return <span>{t('why.investment', { range: first })}</span>
  // Word joiners: a range does not break at its dash.
  return <span>{t('why.investments', { range: `${first}\u2060–\u2060${last}` })}</span>
}

/** A hash, short to look at and copied whole. A run that is not sealed yet has none. */
function Proof({ hash, label, copy }: { hash: string; label: string; copy: string }) {
  const { t } = useTranslation('earnings')
  if (hash === '') return null
  return (
    <Fact small className="proof" name={label}>
      <span title={hash}>{shortHash(hash)}</span>
      <CopyButton compact text={hash} label={copy} confirmation={t('why.copied')} />
    </Fact>
  )
}

const INPUTS = ['first', 'second', 'third', 'fourth']

function WhySkeleton() {
  const { t } = useTranslation('ui')
  return (
    <div className="stack-16 why-details" role="status" aria-label={t('loading')}>
      <Bars title={70} width="80%" height={16} />
      <div className="stack-6">
        <Skeleton width={110} height={13} />
        <div className="why-inputs">
          {INPUTS.map((input) => (
            <div key={input}>
              <Skeleton width={90} height={13} />
              <Skeleton width={110} height={16} />
            </div>
          ))}
        </div>
      </div>
      <Bars title={140} width="100%" height={36} />
      <Bars title={60} width="60%" height={36} />
    </div>
  )
}

function Bars({ title, ...body }: { title: number; width: string; height: number }) {
  return (
    <div className="stack-6">
      <Skeleton width={title} height={13} />
      <Skeleton {...body} />
    </div>
  )
}
