import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCircleCheck, IconShieldSearch } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useLive } from '../../shared/useLive.ts'
import { type AuditVerification, useAuditVerificationQuery, useVerifyAuditMutation } from '../api.ts'
import { faultOf } from '../sentence.ts'

/** Whether every entry is as it was recorded: by a press, done by the worker. */
export function VerifyCard() {
  const { t } = useTranslation('console/audit')
  const query = useAuditVerificationQuery()
  const [verify, { isLoading }] = useVerifyAuditMutation()
  const sayFailure = useFailureToast()
  const isRunning = query.data?.verification?.finished_at === null
  useLive(isRunning, query.refetch)
  const press = async () => {
    const { data, error } = await verify()
    if (data === undefined) sayFailure(error as Failure)
    else toast.success(data.message)
  }
  return (
    <section className="card card-pad stack-14" aria-busy={isRunning}>
      <div className="row-8 row-apart audit-tools">
        <div>
          <h2>{t('verify.title')}</h2>
          <p className="muted small">{t('verify.text')}</p>
        </div>
        <Button
          icon={<IconShieldSearch size={18} stroke={1.6} />}
          busy={isLoading || isRunning}
          onClick={() => void press()}
        >
          {t('verify.button')}
        </Button>
      </div>
      <Loaded query={query} hold={<Skeleton width="100%" height={70} />}>
        {({ verification }) =>
          verification === null ? (
            <p className="muted">{t('verify.never')}</p>
          ) : verification.finished_at === null ? (
            <Progress verification={verification} />
          ) : (
            <Result verification={verification} />
          )
        }
      </Loaded>
    </section>
  )
}

function Progress({ verification: { seals } }: { verification: AuditVerification }) {
  const { t } = useTranslation('console/audit')
  return (
    <div className="stack-8" role="status">
      <progress className="audit-progress" value={seals.done} max={Math.max(seals.in_all, 1)} />
      <p className="muted small">
        {t('verify.progress', { done: formats.count(seals.done), all: formats.count(seals.in_all) })}
      </p>
    </div>
  )
}

function Result({ verification }: { verification: AuditVerification }) {
  const { t } = useTranslation('console/audit')
  const { faults, seals, rows, unsealed, erased, head, public_key: key } = verification
  const isWhole = faults.length === 0
  return (
    <div className="stack-14">
      <Notice kind={isWhole ? 'ok' : 'bad'} icon={isWhole ? IconCircleCheck : IconAlertTriangle}>
        {isWhole ? t('verify.whole') : t('verify.broken', { count: faults.length })}
      </Notice>
      {isWhole ? null : (
        <ul className="audit-faults stack-8">
          {faults.map((fault) => (
            <li key={fault}>{faultOf(t, fault)}</li>
          ))}
        </ul>
      )}
      <dl className="figures audit-result">
        <Fact name={t('verify.when')}>
          {t('verify.by', {
            at: formats.dateTime(verification.finished_at ?? verification.asked_at),
            name: verification.asked_by,
          })}
        </Fact>
        <Fact name={t('verify.read')} note={erased > 0 ? t('verify.erased', { count: erased }) : undefined}>
          {t('verify.counts', { rows: formats.count(rows), seals: formats.count(seals.done) })}
        </Fact>
        <Fact name={t('verify.unsealed')}>{formats.count(unsealed)}</Fact>
        <Fact
          name={t('verify.head')}
          note={key === null ? undefined : t('verify.key', { key: shortHash(key) })}
        >
          {head === null
            ? t('verify.unsigned')
            : t('verify.signed', { seal: formats.count(head.seal), at: formats.dateTime(head.signed_at) })}
        </Fact>
      </dl>
    </div>
  )
}
