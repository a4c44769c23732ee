import type { Reversal } from '@aval/contract'
import { plainTyped } from '@aval/contract/typed'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn, PagedTable, TwoLines } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { IconCheck } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../ui/States.tsx'
import { type Decision, useDecision } from '../../shared/confirm.ts'
import { DecisionForm } from '../../shared/DecisionForm.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { usePlace } from '../../shared/place.ts'
import { Waiting } from '../../shared/Waiting.tsx'
import {
  type OperatorInvestment,
  type ReversalOrder,
  useMemberInvestmentsQuery,
  useReversalQuery,
  useReverseMutation,
} from '../api.ts'
import { reversalSums } from '../reversalSums.ts'
import './reversals.css'

/** Investments, newest first, of everybody or of who is searched for; and the way to reverse one. */
export function InvestmentsTab() {
  const { t } = useTranslation('console/reversals')
  const place = usePlace()
  /** The beginning of a username or an e-mail; empty for everybody. */
  const member = place.member
  const list = useMemberInvestmentsQuery({ member, page: place.page })
  const [reversing, setReversing] = useState<OperatorInvestment | null>(null)
  const search = useRef<HTMLDivElement>(null)
  const close = () => {
    setReversing(null)
    // The button that opened the dialog is gone when the investment was reversed.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) search.current?.querySelector('input')?.focus()
    })
  }
  const columns: Column<OperatorInvestment>[] = [
    column(t('one'), (row) => (
      <TwoLines
        first={t('number', { id: row.id })}
        second={<MemberName id={row.member_id} username={row.member} />}
      />
    )),
    figureColumn(t('amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
    column(t('date'), (row) => (
      <TwoLines first={formats.dateTime(row.date)} second={t(row.from_balance ? 'balance' : 'chain')} />
    )),
    figureColumn(t('stateTitle'), (row) => <State row={row} />),
  ]
  return (
    <>
      <section className="card">
        <div className="search-place row-8 row-apart" ref={search}>
          <SearchForm
            key={member}
            member={member}
            onSearch={(next) => place.show('investments', { member: next })}
          />
          <ExportButton path={`operator/investments/export/?${new URLSearchParams({ member })}`} />
        </div>
        <div className="investments-table">
          <PagedTable
            list={list}
            caption={t('title')}
            columns={columns}
            rowKey={(row) => row.id}
            led={/^#\d+$/.test(member) ? Number(member.slice(1)) : undefined}
            detail={(row) => <Detail row={row} onReverse={setReversing} />}
            page={place.page}
            onPage={(page) => place.show('investments', { member, page })}
            empty={<EmptyState text={member === '' ? t('empty') : t('none', { member })} />}
          />
        </div>
      </section>
      {reversing === null ? null : <ReversalDialog investment={reversing} onClose={close} />}
    </>
  )
}

function SearchForm({ member, onSearch }: { member: string; onSearch: (member: string) => void }) {
  const { t } = useTranslation('console/reversals')
  const form = useForm({ defaultValues: { member } })
  const submit = form.handleSubmit((values) => onSearch(values.member.trim()))
  return (
    <search>
      <form className="search-form" noValidate onSubmit={submit}>
        <Field
          label={t('search')}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          {...form.register('member')}
        />
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}

const TONES = { open: 'badge-wait', settled: 'badge-ok', reversed: '' } as const

function State({ row }: { row: OperatorInvestment }) {
  const { t } = useTranslation('console/reversals')
  return <span className={`badge ${TONES[row.state]}`}>{t(`state.${row.state}`)}</span>
}

interface DetailProps {
  row: OperatorInvestment
  onReverse: (investment: OperatorInvestment) => void
}

/** What can be done about one: nothing that stands in every row. */
function Detail({ row, onReverse }: DetailProps) {
  const { t } = useTranslation('console/reversals')
  return (
    <div className="row-detail box row-12 row-apart">
      <p>{t(`about.${row.state}`)}</p>
      {row.state === 'settled' ? (
        <Waiting subject={`investment:${row.id}`} what={t('reverseWhat')}>
          <Button
            size="small"
            aria-label={t('reverseOne', { id: row.id, member: row.member })}
            onClick={() => onReverse(row)}
          >
            {t('reverse')}
          </Button>
        </Waiting>
      ) : null}
    </div>
  )
}

const SHORTEST_REASON = 3
const LONGEST_REASON = 200

interface ReversalDialogProps {
  investment: OperatorInvestment
  onClose: () => void
}

export function ReversalDialog({ investment, onClose }: ReversalDialogProps) {
  const { t } = useTranslation('console/reversals')
  const [send] = useReverseMutation()
  const decision = useDecision(send)
  const [done, setDone] = useState<Reversal | null>(null)
  const close = () => {
    if (!decision.busy) onClose()
  }
  const name = done === null ? 'reversal.title' : 'reversal.done'
  return (
    <Dialog title={t(name, { id: investment.id })} width={720} onClose={close}>
      <div className="stack-14">
        <p className="muted">
          {t('reversal.of', {
            amount: formats.money(investment.amount),
            member: investment.member,
            date: formats.dateTime(investment.date),
          })}
        </p>
        {done === null ? (
          <Preview investment={investment} decision={decision} onDone={setDone} onClose={close} />
        ) : (
          <Result reversal={done} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  investment: OperatorInvestment
  decision: Decision<ReversalOrder, Reversal>
  onDone: (reversal: Reversal) => void
  onClose: () => void
}

function Preview(props: PreviewProps) {
  const hold = (
    <div className="stack-14" aria-busy="true">
      <Skeleton width="80%" height={18} />
      <Skeleton width="100%" height={160} />
      <Skeleton width="100%" height={70} />
    </div>
  )
  return (
    <Loaded query={useReversalQuery(props.investment.id)} hold={hold} holdAgain>
      {(reversal) => (
        <>
          <p>{reversal.message}</p>
          <ReversalParts parts={reversal.parts} />
          <ReversalForm {...props} />
        </>
      )}
    </Loaded>
  )
}

/** Why, and the username typed out: a reversal is not pressed by a slip. */
function ReversalForm({ investment, decision, onDone, onClose }: PreviewProps) {
  const { t } = useTranslation('console/reversals')
  const form = useForm({ defaultValues: { reason: '', typed: '' } })
  const { errors } = form.formState
  const { id, member } = investment
  const submit = form.handleSubmit(async ({ reason }) => {
    const what = t('confirm', { id, member, amount: formats.money(investment.amount) })
    const answer = await decision.decide({ id, reason: reason.trim() }, { what, danger: true })
    if (answer?.data !== undefined) onDone(answer.data)
  })
  return (
    <DecisionForm
      decision={decision}
      submit={t('reversal.confirm')}
      back={t('reversal.cancel')}
      danger
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label={t('reversal.reason')}
        hint={t('reversal.reasonHint')}
        autoComplete="off"
        maxLength={LONGEST_REASON}
        error={errors.reason?.message}
        {...form.register('reason', {
          validate: (text) => text.trim().length >= SHORTEST_REASON || t('reversal.reasonMissing'),
        })}
      />
      <Field
        label={t('reversal.typed', { member })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.typed?.message}
        {...form.register('typed', {
          validate: (text) => plainTyped(text) === member || t('reversal.typedWrong', { member }),
        })}
      />
    </DecisionForm>
  )
}

/** What was proposed. What is taken from balances and what is owed is known when it is signed. */
function Result({ reversal, onClose }: { reversal: Reversal; onClose: () => void }) {
  const { t } = useTranslation('console/reversals')
  return (
    <>
      <Notice kind="ok" icon={IconCheck} stroke={1.8} role="status">
        {reversal.message}
      </Notice>
      <ReversalParts parts={reversal.parts} />
      <div className="dialog-actions row-8 row-end">
        {/* The button that was pressed is gone. */}
        <Button kind="primary" autoFocus onClick={onClose}>
          {t('reversal.close')}
        </Button>
      </div>
    </>
  )
}

type Part = Reversal['parts'][number]
/** A member may lose to the same pool twice: the row's place tells them apart. */
type Row = Part & { at: number }

function ReversalParts({ parts }: { parts: Part[] }) {
  const { t } = useTranslation('console/reversals')
  const columns: Column<Row>[] = [
    column(t('member'), (part) => <Name text={part.member} />),
    column(t('reversal.pool'), (part) => t(`reversal.pools.${part.pool}`)),
    figureColumn(t('reversal.amount'), (part) => <strong>{formats.exact(part.amount)}</strong>),
    figureColumn(t('reversal.fromBalance'), (part) => formats.exact(part.from_balance)),
    figureColumn(t('reversal.owed'), (part) => formats.exact(part.owed)),
  ]
  if (parts.length === 0) return <p className="muted">{t('reversal.noParts')}</p>
  const sums = reversalSums(parts)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="parts" aria-label={t('reversal.parts')} tabIndex={0}>
        <DataTable
          caption={t('reversal.parts')}
          columns={columns}
          rows={parts.map((part, at) => ({ ...part, at }))}
          rowKey={({ at }) => at}
        />
      </section>
      <p>
        <strong>
          {t('reversal.sum', {
            amount: formats.money(sums.amount),
            balance: formats.money(sums.from_balance),
            owed: formats.money(sums.owed),
          })}
        </strong>{' '}
        <span className="muted">{t('reversal.history')}</span>
      </p>
    </>
  )
}
