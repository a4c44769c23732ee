import type { InvestmentEntry, MemberDeposit, MemberInvoice, Payment, Withdrawal } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import {
  useDepositsOfMemberQuery,
  useInvestmentsOfMemberQuery,
  useInvoicesOfMemberQuery,
  usePaymentsOfMemberQuery,
  useWithdrawalsOfMemberQuery,
} from '../api.ts'
import { MemberList } from './MemberList.tsx'
import { Why } from './Why.tsx'

/** What money a member put in, was paid, or took out. */
export function MoneyTab({ id, of }: { id: string; of: 'investments' | 'payments' | 'withdrawals' }) {
  if (of === 'payments') return <Payments id={id} />
  if (of === 'withdrawals') return <Withdrawals id={id} />
  return (
    <>
      <Investments id={id} />
      <Invoices id={id} />
      <Deposits id={id} />
    </>
  )
}

function Transaction({ url, txid }: { url: string | null; txid: string | null }) {
  if (txid === null) return <span>–</span>
  if (url === null) return <span>{shortHash(txid)}</span>
  return (
    <OutsideLink href={url} className="small">
      {shortHash(txid)}
    </OutsideLink>
  )
}

function Investments({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const columns: Column<InvestmentEntry>[] = [
    column(t('money.number'), (row) => t('money.numbered', { number: row.id })),
    column(t('date'), (row) => formats.dateTime(row.date)),
    figureColumn(t('money.amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
    column(t('money.how'), (row) =>
      row.pay_with_balance ? t('money.balance') : <Transaction url={row.explorer_url} txid={row.txid} />,
    ),
    column(t('money.state'), (row) =>
      row.reversed_at === null
        ? t('money.completed')
        : t('money.reversed', { date: formats.date(row.reversed_at) }),
    ),
  ]
  return (
    <MemberList
      id={id}
      of={useInvestmentsOfMemberQuery}
      titled
      caption={t('tab.investments')}
      columns={columns}
      rowKey={(row) => row.id}
      none={t('money.noInvestments')}
    />
  )
}

/** As the database has them. */
const INVOICE_STATES = ['open', 'paid', 'expired', 'cancelled'] as const

function Invoices({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [led] = useQueryState('led')
  const stateOf = (text: string) => {
    const state = INVOICE_STATES.find((name) => name === text)
    return state === undefined ? t('other') : t(`invoice.${state}`)
  }
  const columns: Column<MemberInvoice>[] = [
    column(t('date'), (row) => formats.dateTime(row.created_at)),
    column(t('invoice.number'), (row) => shortHash(row.txn_id)),
    figureColumn(t('money.amount'), (row) => (
      <TwoLines
        first={formats.money(row.amount)}
        second={t('invoice.fee', { fee: formats.money(row.fee) })}
      />
    )),
    figureColumn(t('invoice.received'), (row) => formats.money(row.received)),
    column(t('money.state'), (row) => (
      <TwoLines first={stateOf(row.state)} second={formats.shortStamp(row.closed_at ?? row.expires_at)} />
    )),
  ]
  return (
    <MemberList
      id={id}
      of={useInvoicesOfMemberQuery}
      at="invoices"
      titled
      caption={t('invoice.title')}
      columns={columns}
      rowKey={(row) => row.txn_id}
      led={led ?? undefined}
      none={t('invoice.none')}
    />
  )
}

const OUTCOMES = ['part', 'paid', 'overpaid', 'late', 'no_invoice', 'company', 'refill'] as const
const VERDICTS = ['wrong_token', 'zero_value', 'failed', 'wrong_asset'] as const

/** Of our token it is an amount, credited or not; of another one nobody knows its decimals. */
function DepositValue({ row: { verdict, value } }: { row: MemberDeposit }) {
  const { t } = useTranslation('console/members')
  if (verdict === 'credit') return <span>{formats.money(value)}</span>
  if (verdict === 'failed' || verdict === 'zero_value')
    return <span>{formats.money(formatMicro(micro(BigInt(value))))}</span>
  return <TwoLines first={formats.decimal(value)} second={t('deposit.raw')} />
}

function Deposits({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  /** What happened to it: booked as what, on its way, or why it is not booked. */
  const whatOf = (row: MemberDeposit) => {
    const outcome = OUTCOMES.find((name) => name === row.outcome)
    if (outcome !== undefined) return t(`deposit.outcome.${outcome}`)
    const verdict = VERDICTS.find((name) => name === row.verdict)
    return verdict === undefined ? t('deposit.waits') : t(`deposit.verdict.${verdict}`)
  }
  const columns: Column<MemberDeposit>[] = [
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('deposit.transaction'), (row) => <Transaction url={row.explorer_url} txid={row.txid} />),
    figureColumn(t('money.amount'), (row) => <DepositValue row={row} />),
    column(t('deposit.happened'), (row) => (
      <TwoLines
        first={whatOf(row)}
        second={row.invoice === null ? '' : t('deposit.for', { invoice: shortHash(row.invoice) })}
      />
    )),
  ]
  return (
    <MemberList
      id={id}
      of={useDepositsOfMemberQuery}
      at="deposits"
      titled
      caption={t('deposit.title')}
      columns={columns}
      rowKey={(row) => `${row.txid} ${row.position}`}
      none={t('deposit.none')}
    />
  )
}

function Payments({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const columns: Column<Payment>[] = [
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('payment.kind'), (row) => (
      <TwoLines
        first={t(`payment.kinds.${row.kind}`)}
        second={row.user_username === null ? '' : <Name text={row.user_username} />}
      />
    )),
    figureColumn(t('money.amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
    column(t('money.state'), (row) => (
      <TwoLines
        first={t(`payment.state.${row.state}`)}
        second={
          isSome(row.taken_back) ? t('payment.takenBack', { amount: formats.money(row.taken_back) }) : ''
        }
      />
    )),
  ]
  return (
    <MemberList
      id={id}
      of={usePaymentsOfMemberQuery}
      caption={t('tab.payments')}
      columns={columns}
      rowKey={(row) => row.id}
      detail={(row) => <Why id={id} payment={row.id} />}
      none={t('payment.none')}
    />
  )
}

function Withdrawals({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const columns: Column<Withdrawal>[] = [
    column(t('money.number'), (row) => t('money.numbered', { number: row.id })),
    column(t('date'), (row) => formats.dateTime(row.date)),
    figureColumn(t('money.amount'), (row) => <strong>{formats.money(row.amount)}</strong>),
    column(t('withdrawal.wallet'), (row) => shortHash(row.wallet_address)),
    column(t('money.state'), (row) => (
      <TwoLines first={t(`withdrawal.stage.${row.stage}`)} second={row.reason ?? ''} />
    )),
    column(t('deposit.transaction'), (row) => <Transaction url={row.payment_link} txid={row.txid} />),
  ]
  return (
    <MemberList
      id={id}
      of={useWithdrawalsOfMemberQuery}
      caption={t('tab.withdrawals')}
      columns={columns}
      rowKey={(row) => row.id}
      none={t('withdrawal.none')}
    />
  )
}
