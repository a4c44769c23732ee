/** One withdrawal on its way, as its member and an operator move it; every step can be asked for again. */
import { randomUUID } from 'node:crypto'
import { withdrawal } from '@aval/contract'
import { codeByMail, type Member, type Operator } from './people.ts'
import type { Scene } from './scene.ts'
import { until } from './waiting.ts'

export interface Errand {
  readonly member: Member
  /** Decimal; no other withdrawal of this member has the same. */
  readonly amount: string
  /** Under which the request is sent, however often. */
  readonly key: string
  /** From the member's mailbox. */
  readonly code: string
}

/** A code for this amount to the member's wallet is in the mailbox; nothing is asked yet. */
export async function newErrand(scene: Scene, member: Member, amount: string): Promise<Errand> {
  const { product } = scene
  const wire = await member.wire()
  const asked = await wire.post('withdrawals/withdrawals/create-code/', {
    amount,
    wallet_address: member.wallet,
  })
  if (asked.status !== 200) throw new Error(`a code for ${amount}: ${JSON.stringify(asked.body)}`)
  const code = await codeByMail(product, member.email, `retirar ${amount}`)
  return { member, amount, key: randomUUID(), code }
}

/** The request itself, once. */
export async function send({ member, amount, key, code }: Errand) {
  const wire = await member.wire()
  const body = { amount, wallet_address: member.wallet, used_code: code }
  return wire.post('withdrawals/withdrawals/', body, key)
}

/** Sends the request until it is answered. @returns the withdrawal's number */
export async function ask(errand: Errand): Promise<number> {
  return until('the answer to the request', async () => {
    const answer = await send(errand)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.as(withdrawal).id
  })
}

export async function stateOf(scene: Scene, id: number): Promise<string> {
  const [row] = await scene.query<{ state: string }>('SELECT state FROM withdrawal WHERE id = $1', [id])
  return row?.state ?? ''
}

/** Has it approved, unless it is: the answer to an earlier try may have been lost. */
export async function approve(scene: Scene, operator: Operator, id: number): Promise<void> {
  await until('the approval', async () => {
    if ((await stateOf(scene, id)) !== 'requested') return true
    const wire = await operator.wire()
    const body = { decision: 'approve', ids: [id], otp: await operator.code() }
    const answer = await wire.post('operator/withdrawals/decide/', body, randomUUID())
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return true
  })
}

export interface PaymentRow {
  readonly txid: string
  readonly state: 'prepared' | 'signed' | 'settled' | 'failed' | 'expired'
  readonly broadcasts: number
  readonly seen: number | null
  readonly raw: Buffer
}

/** Every transfer that was ever prepared for it, oldest first. */
export async function paymentsOf(scene: Scene, id: number): Promise<PaymentRow[]> {
  return scene.query<PaymentRow>(
    `SELECT txid, state, broadcasts, seen_block::int AS seen, raw FROM outgoing_transfer
     WHERE purpose = 'withdrawal' AND withdrawal_id = $1 ORDER BY prepared_at, txid`,
    [id],
  )
}

/** The one that may still happen, as soon as it is as wanted. */
export async function paymentThat(
  scene: Scene,
  id: number,
  what: string,
  isSo: (payment: PaymentRow) => boolean,
): Promise<PaymentRow> {
  return until(what, async () => (await paymentsOf(scene, id)).find(isSo) ?? null)
}
