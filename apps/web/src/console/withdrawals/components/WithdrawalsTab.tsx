import type { QueuedWithdrawal } from '@aval/contract'
import { formatMicro, type Micro, micro } from '@aval/money'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { microOf } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconClock } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { ApprovalsLink } from '../../shared/ApprovalsLink.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { DueMark } from '../../shared/DueMark.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { type Shortcut, Shortcuts } from '../../shared/Shortcuts.tsx'
import { quiet, STANDBY, usePolling } from '../../shared/useLive.ts'
import { useRowKeys } from '../../shared/useRowKeys.ts'
import { QUEUES, type Queue, useRefuseWithdrawalsMutation, useWithdrawalQueueQuery } from '../api.ts'
import { Risks } from './Risks.tsx'
import { WithdrawalContext } from './WithdrawalContext.tsx'
import './queue.css'

/** Withdrawals by what is to be done about them; several can be refused with one code. What is known about one opens beside the list. */
export function WithdrawalsTab() {
  const { t } = useTranslation('console/withdrawals')
  const place = usePlace()
  const { may } = useAbilities()
  const state: Queue = QUEUES.find((name) => name === place.state) ?? 'requested'
  const polling = usePolling(state === 'closed' ? 0 : STANDBY)
  const list = quiet(useWithdrawalQueueQuery({ state, page: place.page }, polling))
  const selection = useSelection(list.data?.results ?? NONE)
  /** What was read when it was asked stays what is refused, while the list may learn of news. */
  const [asked, setAsked] = useState<readonly QueuedWithdrawal[] | null>(null)
  const opened = openedIn(place.withdrawal)
  const placeOf = (withdrawal: number | null) => ({
    state: state === 'requested' ? null : state,
    page: place.page,
    withdrawal: withdrawal === null ? null : String(withdrawal),
  })
  const box = useRef<HTMLElement>(null)
  const keys = useKeys(box, selection, setAsked)
  return (
    <div className="beside" data-open={opened !== null}>
      <section ref={box} className="card queue linked-rows beside-list">
        <QueueHead
          keys={keys}
          isUndecided={state === 'requested'}
          isAlone={opened === null}
          rows={selection.rows}
        />
        <FilteredTable
          filter={t('filter')}
          choices={QUEUES}
          current={state}
          textOf={(choice) => t(`queue.${choice}`)}
          onShow={(next, page) => {
            selection.clear()
            place.show('withdrawals', { state: next === 'requested' ? null : next, page })
          }}
          list={list}
          tools={<ExportButton path={`operator/withdrawals/export/?state=${state}`} />}
          caption={t('title')}
          columns={useColumns(state, opened, selection, (id) => placeLink('withdrawals', placeOf(id)))}
          rowKey={(row) => row.id}
          note={rowNotes}
          page={place.page}
          empty={<EmptyState text={t(`none.${state}`)} />}
        />
        <Chosen rows={selection.rows} onRefuse={() => setAsked(selection.rows)} onClear={selection.clear} />
      </section>
      {opened === null ? null : (
        <WithdrawalContext
          key={opened}
          id={opened}
          back={placeLink('withdrawals', placeOf(null))}
          onRefuse={may('withdrawals.refuse') ? (row) => setAsked([row]) : undefined}
        />
      )}
      {asked === null ? null : (
        <RefuseDialog
          rows={asked}
          onClose={() => setAsked(null)}
          onRefused={() => {
            setAsked(null)
            selection.clear()
          }}
        />
      )}
    </div>
  )
}

interface QueueHeadProps {
  keys: readonly Shortcut[]
  isUndecided: boolean
  /** Nothing is open beside the list. */
  isAlone: boolean
  /** What is chosen. */
  rows: readonly QueuedWithdrawal[]
}

/** Where withdrawals are approved, and by which keys one works here. */
function QueueHead({ keys, isUndecided, isAlone, rows }: QueueHeadProps) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <div className="queue-head row-8 row-apart">
      <p className="muted small">{isUndecided && isAlone ? t('approveElsewhere') : null}</p>
      <div className="row-12 row-end">
        <Shortcuts keys={keys} />
        {isUndecided ? (
          <ApprovalsLink
            className="button button-primary"
            withdrawals={rows.filter((row) => row.can_approve).map(({ id }) => id)}
          />
        ) : null}
      </div>
    </div>
  )
}

const NONE: readonly QueuedWithdrawal[] = []

const openedIn = (text: string | null) =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null

type Selection = ReturnType<typeof useSelection>

/** What is chosen among the rows of the page; what left it meanwhile is no longer. */
function useSelection(rows: readonly QueuedWithdrawal[]) {
  const { may } = useAbilities()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const canChoose = may('withdrawals.refuse')
  return {
    rows: rows.filter((row) => chosen.has(row.id)),
    has: (id: number) => chosen.has(id),
    canChoose: (row: QueuedWithdrawal) => canChoose && row.can_refuse,
    choose(id: number, wanted: boolean) {
      const others = [...chosen].filter((other) => other !== id)
      setChosen(new Set(wanted ? [...others, id] : others))
    },
    clear: () => setChosen(new Set()),
  }
}

/** The keys of the queue. Refusing asks why, and for a code. */
function useKeys(
  box: RefObject<HTMLElement | null>,
  selection: Selection,
  onRefuse: (rows: readonly QueuedWithdrawal[]) => void,
): readonly Shortcut[] {
  const { t } = useTranslation('console/withdrawals')
  const { current, move } = useRowKeys(box)
  return [
    { name: 'j', does: t('keys.next'), run: () => move(1) },
    { name: 'k', does: t('keys.previous'), run: () => move(-1) },
    { name: 'Enter', does: t('keys.open') },
    {
      name: 'x',
      does: t('keys.choose'),
      run: () => current()?.querySelector<HTMLElement>('.queue-check')?.click(),
    },
    {
      name: 'r',
      does: t('keys.refuse'),
      run: () => {
        if (selection.rows.length > 0) onRefuse(selection.rows)
      },
    },
  ]
}

function useColumns(
  state: Queue,
  opened: number | null,
  selection: Selection,
  linkTo: (id: number) => string,
): Column<QueuedWithdrawal>[] {
  const { t } = useTranslation('console/withdrawals')
  const wallet = column<QueuedWithdrawal>(t('wallet'), (row) => (
    <TwoLines
      first={shortHash(row.wallet_address)}
      second={row.wallet_since === null ? '–' : t('walletSince', { date: formats.date(row.wallet_since) })}
    />
  ))
  return [
    column(t('member'), (row) => (
      <span className="row-8 one-line">
        {state === 'requested' && selection.canChoose(row) ? (
          <span className="check">
            <input
              type="checkbox"
              className="queue-check"
              checked={selection.has(row.id)}
              aria-label={t('choose', { number: row.id, member: row.username })}
              onChange={(event) => selection.choose(row.id, event.target.checked)}
            />
          </span>
        ) : null}
        <TwoLines
          first={
            <Link
              to={linkTo(row.id)}
              className="row-link"
              aria-label={t('open', { number: row.id, member: row.username })}
              aria-current={row.id === opened || undefined}
            >
              <Name text={row.username} />
            </Link>
          }
          second={<Name text={row.email} />}
        />
      </span>
    )),
    column(t('date'), (row) => (
      <TwoLines first={formats.shortStamp(row.date)} second={<DueMark row={row} />} />
    )),
    figureColumn(t('amount'), (row) => (
      <TwoLines
        first={<strong>{formats.money(row.amount)}</strong>}
        second={t('arrives', { amount: formats.exact(row.arrives) })}
      />
    )),
    // Beside the list it is shown whole.
    ...(opened === null ? [wallet] : []),
    column(t('stage'), (row) => <Stage row={row} />),
  ]
}

const BADGES: Record<QueuedWithdrawal['status'], string> = { 1: 'badge-wait', 2: 'badge-ok', 3: 'badge-bad' }

function Stage({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation('console/withdrawals')
  const { stage, approvals, approvals_needed: needed, confirmations, confirms_needed } = row
  const detail =
    stage === 'requested'
      ? t('approvals', { given: approvals.length, needed, count: needed })
      : stage === 'confirming'
        ? t('blocks', { seen: confirmations ?? 0, needed: confirms_needed })
        : row.refused_by
  return (
    <TwoLines
      first={<span className={`badge ${BADGES[row.status]}`}>{t(`stages.${stage}`)}</span>}
      second={detail}
    />
  )
}

/** Risks of a withdrawal, what it waits for, what did not arrive; null where there is nothing. */
function rowNotes(row: QueuedWithdrawal) {
  if (row.risks.length === 0 && row.delay === null && row.short_by === null) return null
  return <RowNotes row={row} />
}

function RowNotes({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation('console/withdrawals')
  const { risk_marks: marks, delay, short_by: short } = row
  return (
    <div className="stack-8">
      {marks.length === 0 ? null : <Risks marks={marks} />}
      {delay === null ? null : (
        <Notice kind="wait" icon={IconClock}>
          <span>{t(`delay.${delay.code}`)}</span>{' '}
          <span className="muted">
            {`${t('since', { time: formats.shortStamp(delay.since) })}${delay.detail === '' ? '' : ` · ${delay.detail}`}`}
          </span>
        </Notice>
      )}
      {short === null ? null : <Notice kind="bad">{t('short', { amount: formats.exact(short) })}</Notice>}
    </div>
  )
}

interface ChosenProps {
  rows: readonly QueuedWithdrawal[]
  onRefuse: () => void
  onClear: () => void
}

const totalOf = (rows: readonly QueuedWithdrawal[]): Micro =>
  rows.reduce((sum, row) => micro(sum + microOf(row.amount)), micro(0n))

function Chosen({ rows, onRefuse, onClear }: ChosenProps) {
  const { t } = useTranslation('console/withdrawals')
  if (rows.length === 0) return null
  return (
    <div className="queue-selection row-8 row-apart" role="status">
      <p>
        <span>{t('chosen', { count: rows.length })}</span>{' '}
        <strong>{formats.money(formatMicro(totalOf(rows)))}</strong>
      </p>
      <div className="row-8 row-end">
        <Button kind="quiet" size="small" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button kind="danger" size="small" onClick={onRefuse}>
          {t('refuse')}
        </Button>
      </div>
    </div>
  )
}

const LONGEST_REASON = 300

interface RefuseDialogProps {
  rows: readonly QueuedWithdrawal[]
  onClose: () => void
  onRefused: () => void
}

/** Says whose withdrawals will not be paid, asks why, and carries it out with one code. */
function RefuseDialog({ rows, onClose, onRefused }: RefuseDialogProps) {
  const { t } = useTranslation('console/withdrawals')
  const [send] = useRefuseWithdrawalsMutation()
  const figures = { count: rows.length, amount: formats.money(formatMicro(totalOf(rows))) }
  const reason = {
    label: t('reason'),
    hint: t('reasonHint'),
    longest: LONGEST_REASON,
    missing: t('reasonMissing'),
  }
  return (
    <ReasonDialog
      title={t('refuseTitle', figures)}
      width={560}
      send={send}
      what={t('confirm', figures)}
      bodyOf={(why) => ({ ids: rows.map((row) => row.id), reason: why })}
      reason={reason}
      submit={t('refuse')}
      danger
      onDecided={onRefused}
      onClose={onClose}
    >
      <Refused rows={rows} />
    </ReasonDialog>
  )
}

function Refused({ rows }: { rows: readonly QueuedWithdrawal[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many of them scroll, by the arrow keys as well
    <ul className="queue-decided stack-8" tabIndex={0}>
      {rows.map((row) => (
        <li key={row.id} className="box stack-6">
          <div className="card-head">
            <Name text={row.username} />
            <strong>{formats.money(row.amount)}</strong>
          </div>
          <p className="muted small">{t('arrives', { amount: formats.exact(row.arrives) })}</p>
          <p className="small">
            <Address value={row.wallet_address} />
          </p>
          {row.risks.length === 0 ? null : <Risks marks={row.risk_marks} />}
        </li>
      ))}
    </ul>
  )
}
