/** What exactly will be signed, and the two ways of signing it. */
import { type ApprovalRequest, challengeOf, LIFETIME_MS, listOf, OFFLINE_LIFETIME_MS } from '@aval/approvals'
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Settings } from './answers.rules.ts'
import { postApproval, Refused } from './api.ts'
import { approvalRows, type Row, reviewed, sumsOf } from './list.rules.ts'
import { Fact, Failure, Notice } from './parts.tsx'
import { type NoKey, shortForm } from './passkey.rules.ts'
import { newNonce, PasskeyFailed, sign } from './passkey.ts'
import { Rows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import { Reviewed } from './Withdrawal.tsx'

export interface Submitted {
  readonly id: string
  readonly expiresAt: number
  readonly amount: bigint
  readonly count: number
}

interface ReviewProps {
  readonly rows: readonly Row[]
  readonly settings: Settings
  readonly operator: string | null
  readonly ahead: number
  readonly noKey: NoKey | null
  /** How many of the rows changed or are gone since they were chosen. */
  readonly marked: number
  readonly onOperator: (operator: string) => void
  /** The passkey is another operator's than the one who chose. */
  readonly onOtherKey: (operator: string) => void
  readonly onSubmitted: (submitted: Submitted) => void
  readonly onBack: () => void
}

/** What is signed now, of these rows: valid from this moment on. */
function requestOf(rows: readonly Row[], { settings, ahead }: Pick<ReviewProps, 'settings' | 'ahead'>) {
  const signed = approvalRows(rows)
  const lifetime = settings.offline ? OFFLINE_LIFETIME_MS : LIFETIME_MS
  const request: ApprovalRequest = {
    network: settings.network,
    purpose: 'withdrawals',
    expiresAt: Date.now() + ahead + lifetime,
    nonce: newNonce(),
    ...listOf(signed),
  }
  return { signed, request }
}

/** One approval on its way: asks for the proof over the request, and hands both in. */
function useApproving(props: ReviewProps) {
  const { rows, operator, ahead, onOperator, onOtherKey, onSubmitted } = props
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const approve = async (code: string | null) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      const { signed, request } = requestOf(rows, props)
      const given =
        code === null
          ? await sign(challengeOf(request))
          : { operator: operator ?? '', proof: { kind: 'code', code } }
      // What that operator may approve differs: nothing is handed in that was chosen as somebody else.
      if (operator !== null && given.operator !== operator) return onOtherKey(given.operator)
      onOperator(given.operator)
      const id = await postApproval({
        operator: given.operator,
        expires_at: request.expiresAt,
        nonce: request.nonce,
        root: request.root,
        proof: given.proof,
        rows: signed.map((row) => ({
          id: String(row.withdrawalId),
          member: String(row.memberId),
          amount: String(row.amount),
          fee: String(row.fee),
          wallet: row.wallet,
        })),
      })
      onSubmitted({
        id,
        expiresAt: request.expiresAt - ahead,
        amount: sumsOf(rows).amount,
        count: rows.length,
      })
    } catch (error) {
      setFailure(error instanceof Refused || error instanceof PasskeyFailed ? error.message : 'unexpected')
    } finally {
      setBusy(false)
    }
  }
  return { approve, busy, failure }
}

export function Review(props: ReviewProps) {
  const { rows, settings, marked } = props
  const { say } = useTexts()
  const head = useRef<HTMLHeadingElement>(null)
  const approving = useApproving(props)
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
        <Proofs {...props} approving={approving} />
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

interface ProofsProps extends ReviewProps {
  readonly approving: ReturnType<typeof useApproving>
}

/** By passkey where there can be one; by code where the operator says so, or where there is no other way. */
function Proofs(props: ProofsProps) {
  const { noKey, operator, marked, approving, onBack } = props
  const { say } = useTexts()
  const [wantsCode, setWantsCode] = useState(noKey !== null)
  const [code, setCode] = useState('')
  const id = useId()
  const byCode = wantsCode || noKey !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void approving.approve(byCode ? code : null)
  }
  const cannot = marked > 0 || (byCode && (operator === null || !/^\d{6}$/.test(code)))
  return (
    <form className="stack-12 proofs" onSubmit={submit} noValidate>
      {byCode ? (
        <div className="field code-field">
          <label className="field-label" htmlFor={id}>
            {say('codeLabel')}
          </label>
          <div className="field-box">
            <input
              id={id}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              placeholder="······"
              aria-describedby={`${id}hint`}
              value={code}
              onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, 6))}
            />
          </div>
          <p id={`${id}hint`} className="muted small">
            {say(operator === null ? 'codeNobody' : 'codeHint')}
          </p>
        </div>
      ) : null}
      <div className="row-8">
        <button
          type="submit"
          className="button button-primary button-large"
          aria-busy={approving.busy}
          disabled={approving.busy || cannot}
        >
          {approving.busy ? <span className="spinner" aria-hidden="true" /> : null}
          {say(approving.busy ? 'sending' : byCode ? 'approve' : 'approveByKey')}
        </button>
        {noKey === null ? (
          <button type="button" className="button button-quiet" onClick={() => setWantsCode(!byCode)}>
            {say(byCode ? 'byKey' : 'byCode')}
          </button>
        ) : null}
        <button type="button" className="button button-secondary" onClick={onBack} disabled={approving.busy}>
          {say('back')}
        </button>
      </div>
    </form>
  )
}
