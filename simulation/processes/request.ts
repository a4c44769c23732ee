/** One withdrawal on its way, as its member and an operator move it; every step can be repeated. */
import { randomUUID } from 'node:crypto'
import { withdrawal } from '@aval/contract'
import { codeByMail, inMail } from '../../tools/testing/client.ts'
import type { Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import type { Member, Operator } from './people.ts'

export interface WithdrawalRequest {
  readonly member: Member
  /** Decimal; no other withdrawal of this member has the same. */
  readonly amount: string
  /** Under which the request is sent, however often. */
  readonly key: string
  /** From the member's mailbox. */
  readonly code: string
}

/** A code for this amount to the member's wallet is in the mailbox; nothing is sent yet. */
export async function newRequest(
  product: Product,
  member: Member,
  amount: string,
): Promise<WithdrawalRequest> {
  const client = await member.client()
  const body = { amount, wallet_address: member.wallet }
  const answer = await client.post('withdrawals/withdrawals/create-code/', body)
  if (answer.status !== 200) throw new Error(`a code for ${amount}: ${JSON.stringify(answer.body)}`)
  const code = await codeByMail(product, member.email, `retirar ${inMail(amount)}`)
  return { member, amount, key: randomUUID(), code }
}

/** Sends the request once. */
export async function send({ member, amount, key, code }: WithdrawalRequest) {
  const client = await member.client()
  const body = { amount, wallet_address: member.wallet, used_code: code }
  return client.post('withdrawals/withdrawals/', body, key)
}

/** Sends the request until it is answered. @returns the withdrawal's number */
export async function sendUntilAnswered(request: WithdrawalRequest): Promise<number> {
  return until('the answer to the request', async () => {
    const answer = await send(request)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.as(withdrawal).id
  })
}

export async function stateOf(product: Product, id: number): Promise<string> {
  const [row] = await product.query<{ state: string }>('SELECT state FROM withdrawal WHERE id = $1', [id])
  return row?.state ?? ''
}

/** Has it approved, unless it is: the answer to an earlier try may have been lost. */
export async function approve(product: Product, operator: Operator, id: number): Promise<void> {
  await until('the approval', async () => {
    if ((await stateOf(product, id)) !== 'requested') return true
    await operator.approve([id])
    return true
  })
}

export interface OutgoingTransfer {
  readonly txid: string
  readonly state: 'prepared' | 'signed' | 'settled' | 'failed' | 'expired'
  readonly broadcasts: number
  readonly seen: number | null
  readonly raw: Buffer
}

/** Every transfer that was ever prepared for it, oldest first. */
export async function transfersOf(product: Product, id: number): Promise<OutgoingTransfer[]> {
  return product.query<OutgoingTransfer>(
    `SELECT txid, state, broadcasts, seen_block::int AS seen, raw FROM outgoing_transfer
     WHERE purpose = 'withdrawal' AND withdrawal_id = $1 ORDER BY prepared_at, txid`,
    [id],
  )
}

/** Waits until one of them is as wanted. */
export async function awaitTransfer(
  product: Product,
  id: number,
  what: string,
  isWanted: (transfer: OutgoingTransfer) => boolean,
): Promise<OutgoingTransfer> {
  return until(what, async () => (await transfersOf(product, id)).find(isWanted) ?? null)
}
