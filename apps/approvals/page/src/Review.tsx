/** What exactly will be signed. */
import { LIFETIME_MS, listOf, OFFLINE_LIFETIME_MS } from '@aval/approvals'
import { useEffect, useMemo, useRef } from 'react'
import type { Settings } from './answers.rules.ts'
import { approvalRows, type Row, reviewed, sumsOf } from './list.rules.ts'
import { type Asked, type Handing, Proofs, type Submitted, useApproving } from './Proofs.tsx'
import { Fact, Failure, Notice } from './parts.tsx'
import { type NoKey, shortForm } from './passkey.rules.ts'
import { newNonce } from './passkey.ts'
import { Rows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import { Reviewed } from './Withdrawal.tsx'

interface ReviewProps extends Handing {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly ahead: number
  readonly noKey: NoKey | null
  /** How many of the rows changed or are gone since they were chosen. */
  readonly marked: number
  readonly onSubmitted: (submitted: Submitted) => void
  readonly onBack: () => void
}

/** What is signed now, of these rows: valid from this moment on. */
function askOf(rows: readonly Row[], { settings, ahead }: Pick<ReviewProps, 'settings' | 'ahead'>): Asked {
  const signed = approvalRows(rows)
  const lifetime = settings.offline ? OFFLINE_LIFETIME_MS : LIFETIME_MS
  return {
    request: {
      network: settings.network,
      purpose: 'withdrawals',
      expiresAt: Date.now() + ahead + lifetime,
      nonce: newNonce(),
      ...listOf(signed),
    },
    rows: signed.map((row) => ({
      id: String(row.withdrawalId),
      member: String(row.memberId),
      amount: String(row.amount),
      fee: String(row.fee),
      wallet: row.wallet,
    })),
  }
}

export function Review(props: ReviewProps) {
  const { rows, settings, marked, ahead, onSubmitted } = props
  const { say } = useTexts()
  const head = useRef<HTMLHeadingElement>(null)
  const approving = useApproving(
    props,
    () => askOf(rows, props),
    (id, request) =>
      onSubmitted({
        id,
        expiresAt: request.expiresAt - ahead,
        purpose: 'withdrawals',
        amount: sumsOf(rows).amount,
        count: rows.length,
      }),
  )
  useEffect(() => {
    scrollTo(0, 0)
    head.current?.focus()
  }, [])
  const byMember = useMemo(() => reviewed(rows), [rows])
  return (
    <section className="card review">
      <div className="card-pad stack-16">
        <h1 ref={head} tabIndex={-1}>
          {say('reviewTitle', { count: rows.length })}
        </h1>
        <p className="muted">{say('reviewText')}</p>
        <Figures rows={rows} offline={settings.offline} />
        {marked === 0 ? null : (
          <div role="alert">
            <Notice kind="bad">{say('reviewMarked', { count: marked })}</Notice>
          </div>
        )}
        <Failure code={approving.failure} />
        <Proofs {...props} barred={marked > 0} approving={approving} />
      </div>
      <Rows items={byMember} label={say('listOf')} keyOf={({ row }) => row.id}>
        {({ row, member }) => <Reviewed row={row} member={member} />}
      </Rows>
    </section>
  )
}

function Figures({ rows, offline }: { rows: readonly Row[]; offline: boolean }) {
  const { say, usdt, count: counted } = useTexts()
  const { members, amount, fee } = sumsOf(rows)
  const hash = useMemo(() => shortForm(listOf(approvalRows(rows)).root), [rows])
  const lifetime = offline
    ? say('hours', { count: OFFLINE_LIFETIME_MS / 3_600_000 })
    : say('minutes', { count: LIFETIME_MS / 60_000 })
  return (
    <dl className="figures-row">
      <Fact name={say('fact.amount')}>
        <strong className="figure">{usdt(amount)}</strong> USDT
      </Fact>
      <Fact name={say('fact.arrives')}>{usdt(amount - fee)}</Fact>
      <Fact name={say('fact.fee')}>{usdt(fee)}</Fact>
      <Fact name={say('fact.members')}>{counted(members)}</Fact>
      <Fact name={say('fact.validFor')}>{lifetime}</Fact>
      <Fact name={say('fact.hash')}>
        <code className="hash">{hash}</code>
      </Fact>
    </dl>
  )
}
