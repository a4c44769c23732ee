import type { PayoutRun, RunReplay } from '@aval/contract'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconRefresh } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { memberLink } from '../../shared/place.ts'
import { useLive } from '../../shared/useLive.ts'
import { useReplayRunMutation, useReplaysQuery } from '../api.ts'

/** Has the run computed again from what was there when it was sealed, and says whether it comes to the same. */
export function RunReplays({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const sayFailure = useFailureText()
  const { data = [], refetch } = useReplaysQuery(run.id)
  const [send, { isLoading }] = useReplayRunMutation()
  const isUnderWay = data.some(({ finished_at }) => finished_at === null)
  useLive(isUnderWay, refetch)
  const press = async () => {
    const { error } = await send(run.id)
    if (error !== undefined) toast.error(sayFailure(error as Failure))
  }
  return (
    <section className="card card-pad stack-12" aria-labelledby="run-replays">
      <div className="row-8 row-apart">
        <h2 id="run-replays">{t('replay.title')}</h2>
        <Button
          size="small"
          icon={<IconRefresh size={16} stroke={1.7} />}
          busy={isLoading || isUnderWay}
          onClick={() => void press()}
        >
          {t('replay.press')}
        </Button>
      </div>
      <p className="muted small">{t('replay.text')}</p>
      <ul className="run-replays stack-12" aria-live="polite">
        {data.map((replay) => (
          <li key={replay.id} className="stack-6">
            <Replay replay={replay} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const TONES = {
  waiting: '',
  computing: 'badge-wait',
  matches: 'badge-ok',
  differs: 'badge-bad',
  unsealed: '',
} as const

function Replay({ replay }: { replay: RunReplay }) {
  const { t } = useTranslation('console/payout-runs')
  const { state, progress, result } = replay
  const share = progress.total === 0 ? 0 : Math.floor((progress.done * 100) / progress.total)
  return (
    <>
      <p className="row-8">
        <span className={`badge ${TONES[state]}`}>
          {state === 'computing'
            ? t('replay.computing', { percent: formats.percent(share) })
            : t(`replay.${state}`)}
        </span>
        <span className="muted small">
          {t('replay.by', { name: replay.asked_by, at: formats.dateTime(replay.asked_at) })}
        </span>
      </p>
      {result === null || state === 'unsealed' ? null : (
        <p className="muted small">
          {t('replay.came', {
            count: result.count,
            items: formats.count(result.count),
            sum: formats.money(result.sum),
          })}
        </p>
      )}
      {result === null || state !== 'differs' ? null : <Differences {...result} />}
    </>
  )
}

type Differing = Pick<NonNullable<RunReplay['result']>, 'differences'> &
  Partial<Pick<NonNullable<RunReplay['result']>, 'inputs' | 'more'>>

/** Where two computations of a run differ. */
export function Differences({ differences, inputs = [], more = 0 }: Differing) {
  const { t } = useTranslation('console/payout-runs')
  const said = (value: string | null) => value ?? t('replay.nothing')
  return (
    <ul className="reasons small">
      {inputs.map((input) => (
        <li key={input}>{t('replay.input', { input })}</li>
      ))}
      {[...differences.entries()].map(([place, { member, of, field, sealed, recomputed }]) => (
        <li key={`${place} ${field}`}>
          {member === null ? null : <Link to={memberLink(member)}>{t('replay.member', { member })}</Link>}{' '}
          <span>
            {t('replay.difference', { of, field, sealed: said(sealed), recomputed: said(recomputed) })}
          </span>
        </li>
      ))}
      {more === 0 ? null : <li>{t('replay.more', { count: more, shown: formats.count(more) })}</li>}
    </ul>
  )
}
