import type { RunCalendar as Calendar } from '@aval/contract'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { runLink, usePlace } from '../../shared/place.ts'
import { quiet } from '../../shared/useLive.ts'
import { useRunCalendarQuery } from '../api.ts'
import { monthBeside, placeByKey, weeksOf } from '../runItems.ts'

type Day = Calendar['days'][number]

/** A month of runs: each day what it paid, and what is held or missing. */
export function RunCalendar() {
  const place = usePlace()
  const query = useRunCalendarQuery(place.month, { refetchOnMountOrArgChange: true })
  return (
    <section className="card card-pad stack-12 run-calendar">
      <Loaded query={quiet(query)} hold={<Skeleton width="100%" height={330} />}>
        {(calendar) => <Month calendar={calendar} />}
      </Loaded>
    </section>
  )
}

function Month({ calendar }: { calendar: Calendar }) {
  const { t } = useTranslation('console/payout-runs')
  const place = usePlace()
  const show = (query: { month?: string; day?: string | null }) =>
    void place.show('runs', { page: place.page, state: place.state, month: calendar.month, ...query })
  const [year = 0, month = 1] = calendar.month.split('-').map(Number)
  const chosen = calendar.days.find(({ day }) => day === place.day)
  const turn = (by: -1 | 1) => show({ month: monthBeside(calendar.month, by), day: null })
  return (
    <>
      <div className="row-8 row-apart">
        <h2 className="run-month" aria-live="polite">
          {formats.longMonth(month, year)}
        </h2>
        <div className="row-8">
          <Button
            size="small"
            aria-label={t('calendar.earlier')}
            icon={<IconChevronLeft size={16} stroke={1.8} />}
            onClick={() => turn(-1)}
          />
          <Button
            size="small"
            aria-label={t('calendar.later')}
            icon={<IconChevronRight size={16} stroke={1.8} />}
            disabled={calendar.month >= calendar.today.slice(0, 7)}
            onClick={() => turn(1)}
          />
        </div>
      </div>
      <Days calendar={calendar} chosen={chosen?.day ?? null} onChoose={(day) => show({ day })} />
      {chosen === undefined ? <p className="muted small">{t('calendar.hint')}</p> : <OfDay day={chosen} />}
    </>
  )
}

interface DaysProps {
  calendar: Calendar
  chosen: string | null
  onChoose: (day: string) => void
}

/** One stop of the keyboard; the arrows go from day to day. */
function Days({ calendar, chosen, onChoose }: DaysProps) {
  const { t } = useTranslation('console/payout-runs')
  const table = useRef<HTMLTableElement>(null)
  const { days, today } = calendar
  const current = chosen ?? days.find(({ day }) => day === today)?.day ?? days[0]?.day
  const move = (event: KeyboardEvent) => {
    const buttons = [...(table.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const next = placeByKey(event.key, buttons.indexOf(event.target as HTMLElement), buttons.length)
    if (next === null) return
    event.preventDefault()
    buttons[next]?.focus()
  }
  // Any Monday will do.
  const weekday = (place: number) => new Date(Date.UTC(2024, 0, 1 + place))
  return (
    <table ref={table} className="calendar" onKeyDown={move}>
      <caption className="visually-hidden">{t('calendar.title')}</caption>
      <thead>
        <tr>
          {[0, 1, 2, 3, 4, 5, 6].map((place) => (
            <th key={place} scope="col" className="muted tiny">
              {formats.weekday(weekday(place))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(days).map((week) => (
          <tr key={week.find((day) => day !== null)?.day}>
            {week.map((day, place) =>
              day === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of a week before the month begins
                <td key={place} />
              ) : (
                <td key={day.day}>
                  <DayButton
                    day={day}
                    isToday={day.day === today}
                    isChosen={day.day === chosen}
                    isStop={day.day === current}
                    onChoose={onChoose}
                  />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What stands out of a day: something is missing, held, or under way; else it is paid, or nothing was due. */
function toneOf({ passive, binary, direct, missing }: Day): 'missing' | 'held' | 'going' | 'done' | 'none' {
  const states = [passive, binary].flatMap((run) => (run === null ? [] : [run.state]))
  if (missing.length > 0) return 'missing'
  if (direct.held > 0 || states.includes('held')) return 'held'
  if (states.some((state) => state !== 'done')) return 'going'
  return states.length > 0 || direct.count > 0 ? 'done' : 'none'
}

interface DayButtonProps {
  day: Day
  isToday: boolean
  isChosen: boolean
  isStop: boolean
  onChoose: (day: string) => void
}

function DayButton({ day, isToday, isChosen, isStop, onChoose }: DayButtonProps) {
  const { t } = useTranslation('console/payout-runs')
  const tone = toneOf(day)
  const paid = day.passive === null ? '' : formats.money(day.passive.total)
  const words = [formats.day(day.day), t(`calendar.tone.${tone}`), paid].filter((text) => text !== '')
  return (
    <button
      type="button"
      className="calendar-day"
      data-tone={tone}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={isChosen}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onChoose(day.day)}
    >
      <span className="calendar-number" aria-hidden="true">
        {Number(day.day.slice(-2))}
      </span>
      <span className="calendar-sum tiny" aria-hidden="true">
        {day.passive === null ? '' : formats.briefMoney(day.passive.total)}
      </span>
      <span className="visually-hidden">{words.join(', ')}</span>
    </button>
  )
}

/** The runs of one day. */
function OfDay({ day }: { day: Day }) {
  const { t } = useTranslation('console/payout-runs')
  const { direct } = day
  return (
    <section className="box stack-6" aria-live="polite">
      <h3>{formats.day(day.day)}</h3>
      <dl className="figures">
        {(['passive', 'binary'] as const).map((kind) => (
          <DayRun key={kind} kind={kind} day={day} />
        ))}
        <div>
          <dt className="muted">
            {t('calendar.direct', {
              count: direct.count,
              shown: `${formats.count(direct.count)}${direct.more ? '+' : ''}`,
            })}
          </dt>
          <dd>
            <span>{`${formats.money(direct.total)}${direct.more ? '+' : ''}`}</span>
            {direct.held === 0 ? null : (
              <span className="badge badge-wait">{t('calendar.held', { count: direct.held })}</span>
            )}
          </dd>
        </div>
      </dl>
    </section>
  )
}

function DayRun({ kind, day }: { kind: 'passive' | 'binary'; day: Day }) {
  const { t } = useTranslation('console/payout-runs')
  const run = day[kind]
  const isMissing = day.missing.includes(kind)
  return (
    <div>
      <dt className="muted">
        {run === null ? t(`kind.${kind}`) : <Link to={runLink(run.id)}>{t(`kind.${kind}`)}</Link>}
      </dt>
      <dd>
        {run === null ? (
          <span className={isMissing ? 'badge badge-bad' : 'muted'}>
            {t(isMissing ? 'calendar.missing' : 'calendar.notDue')}
          </span>
        ) : (
          <>
            <span>{formats.money(run.total)}</span>{' '}
            {run.state === 'done' ? null : (
              <span className={`badge ${run.state === 'held' ? 'badge-wait' : ''}`}>
                {t(`state.${run.state}`)}
              </span>
            )}
          </>
        )}
      </dd>
    </div>
  )
}
