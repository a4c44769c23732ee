/** What exactly will be signed. */
import { listOf } from '@aval/approvals'
import { useMemo } from 'react'
import { approvalRows, type Row, reviewed, sumsOf } from './list.rules.ts'
import { Fact } from './parts.tsx'
import { shortForm } from './passkey.rules.ts'
import { lifetimeOf, ReviewCard, type ReviewContext, ValidFor } from './ReviewCard.tsx'
import { Rows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import type { Asked } from './useApproving.ts'
import { Reviewed } from './Withdrawal.tsx'

interface ReviewProps {
  readonly rows: readonly Row[]
  /** How many of the rows changed or are gone since they were chosen. */
  readonly marked: number
  readonly context: ReviewContext
}

function askFor(rows: readonly Row[], offline: boolean): Asked {
  const signed = approvalRows(rows)
  return {
    purpose: 'withdrawals',
    list: listOf(signed),
    lifetimeMs: lifetimeOf(offline),
    rows: signed.map((row) => ({
      id: String(row.withdrawalId),
      member: String(row.memberId),
      amount: String(row.amount),
      fee: String(row.fee),
      wallet: row.wallet,
    })),
    amount: sumsOf(rows).amount,
  }
}

export function Review({ rows, marked, context }: ReviewProps) {
  const { say } = useTexts()
  const { offline } = context.settings
  const byMember = useMemo(() => reviewed(rows), [rows])
  return (
    <ReviewCard
      context={context}
      title={say('reviewTitle', { count: rows.length })}
      text={say('reviewText')}
      figures={<Figures rows={rows} offline={offline} />}
      barred={marked === 0 ? null : say('reviewMarked', { count: marked })}
      ask={() => askFor(rows, offline)}
    >
      <Rows items={byMember} label={say('listOf')} keyOf={({ row }) => row.id}>
        {({ row, member }) => <Reviewed row={row} member={member} />}
      </Rows>
    </ReviewCard>
  )
}

function Figures({ rows, offline }: { rows: readonly Row[]; offline: boolean }) {
  const { say, usdt, count: counted } = useTexts()
  const { members, amount, fee } = sumsOf(rows)
  const hash = useMemo(() => shortForm(listOf(approvalRows(rows)).root), [rows])
  return (
    <>
      <Fact name={say('fact.amount')}>
        <strong className="figure" translate="no">
          {usdt(amount)}
        </strong>
        <span> USDT</span>
      </Fact>
      <Fact name={say('fact.arrives')}>{usdt(amount - fee)}</Fact>
      <Fact name={say('fact.fee')}>{usdt(fee)}</Fact>
      <Fact name={say('fact.members')}>{counted(members)}</Fact>
      <ValidFor offline={offline} />
      <Fact name={say('fact.hash')}>
        <code className="hash">{hash}</code>
      </Fact>
    </>
  )
}
