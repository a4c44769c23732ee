/**
 * Approves withdrawals and acts on money in the demo's past as operators do on the approvals page: with a code over the list that they were shown. The signer
 * accepts it, the gateway pays, the worker settles.
 */
import { randomBytes } from 'node:crypto'
import { LIFETIME_MS, listOf, listOfDecisions } from '@aval/approvals'
import type { Db } from '@aval/db'
import type { Context } from '../../core/context.ts'
import { totpCode } from '../identity/second-factor/totp.ts'
import {
  applyProposed,
  approvalState,
  countUnpaid,
  selectKeyFile,
  selectProposed,
  selectRequested,
  submitApproval,
  submitDecisions,
} from './demo.sql.ts'
import { approvalSecret } from './demo-secrets.ts'
import type { DevnetCalls } from './devnet-calls.ts'
import { until } from './patience.ts'

const STEP_MS = 30_000
/** Whose code of which half minute was used: each is good once, and the next one is taken early. */
const used = new Map<bigint, number>()

async function freshCode(memberId: bigint): Promise<string> {
  const step = () => Math.floor(Date.now() / STEP_MS)
  const wanted = Math.max(step(), (used.get(memberId) ?? 0) + 1)
  await until('the next code', async () => wanted <= step() + 1)
  used.set(memberId, wanted)
  return totpCode(approvalSecret(memberId), new Date(wanted * STEP_MS))
}

/** Waits until the signer has read a key file in which all of them are. */
export const untilPinned = (context: Context, members: readonly bigint[]): Promise<void> =>
  until('the signer to know who approves', async () => {
    const pinned = new Set((await selectKeyFile(context.db)).split(','))
    return members.every((id) => pinned.has(String(id)))
  })

interface Operator {
  readonly id: bigint
  readonly username: string
}

/** Of an approval with a code. */
const provenBy = async ({ config }: Context, operatorId: bigint) => ({
  operatorId,
  network: config.network,
  nonce: randomBytes(32).toString('hex'),
  proof: { kind: 'code', code: await freshCode(operatorId) },
  expiresAt: new Date(Date.now() + LIFETIME_MS - STEP_MS),
})

const untilAccepted = (db: Db, approval: bigint, { username }: Operator): Promise<void> =>
  until('the signer’s answer', async () => {
    const state = await approvalState(db, approval)
    if (state === 'refused') throw new Error(`the signer refuses what ${username} approves`)
    return state === 'accepted'
  })

/** Signs what was proposed about money and waits. Where the signer knows nobody of the demo it is done by who makes the demo. */
export async function signProposed(context: Context, operator: Operator, isKnown: boolean): Promise<void> {
  const { db, clock } = context
  const rows = await selectProposed(db)
  if (rows.length === 0) return
  if (isKnown) {
    const { root } = listOfDecisions(rows)
    const approval = await submitDecisions(db, { ...(await provenBy(context, operator.id)), root, rows })
    return untilAccepted(db, approval, operator)
  }
  for (const { decisionId } of rows) await applyProposed(db, decisionId, operator.id, await clock.now())
}

/** Approves what these members asked for, and waits until it is paid. Does nothing where nobody waits. */
export async function approveAs(
  context: Context,
  devnet: DevnetCalls,
  operator: Operator,
  members: readonly bigint[],
): Promise<void> {
  const { db } = context
  const waiting = await selectRequested(db, members)
  if (waiting.length > 0) {
    const rows = waiting.map(({ id: withdrawalId, ...row }) => ({ withdrawalId, ...row }))
    const { root } = listOf(rows)
    const approval = await submitApproval(db, { ...(await provenBy(context, operator.id)), root, rows })
    await untilAccepted(db, approval, operator)
  }
  await until('the withdrawals to be paid', async () => {
    if ((await countUnpaid(db, members)) === 0) return true
    await devnet.solidify()
    return false
  })
}
