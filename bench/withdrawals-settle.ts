/** From approved to completed: every withdrawal through gateway, signer, chain and worker. */
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction } from '@aval/db'
import type pg from 'pg'
import { decide } from '../apps/server/src/features/withdrawals/decide.commands.ts'
import { msSince } from './measures.ts'
import {
  countApproved,
  countDead,
  countMail,
  type Mail,
  selectDelay,
  selectMilestones,
  selectRequested,
} from './withdrawals.sql.ts'
import type { Product } from './withdrawals-product.ts'

export interface Settling {
  readonly withdrawals: number
  /** What the decision itself took: one for all of them. */
  readonly approvingMs: number
  /** Since it was there until the last of them ... */
  readonly ms: {
    readonly prepared: number
    readonly signed: number
    readonly settled: number
    /** ... was completed. */
    readonly completed: number
  }
  /** Transfers that were prepared in vain. */
  readonly dead: number
  /** What each process used of processors meanwhile, in seconds. */
  readonly processors: Readonly<Record<string, number>>
  /** What the worker had sent meanwhile, and what it had not. */
  readonly mail: Mail
}

const LOOK_EVERY_MS = 250
const TELL_EVERY_MS = 15_000
/** Without a single one more being completed. */
const STUCK_MS = 180_000

/** All of them in one transaction, so that they are due at one instant. */
async function approveAll({ context }: Product, operatorId: bigint, ids: readonly bigint[]): Promise<void> {
  const now = new Date()
  const approval = { decision: 'approve', ids, reason: '' } as const
  await inTransaction(context.db, (tx) => decide(tx, approval, { operatorId, now, systemNow: now }))
}

/** Waits until nothing is approved and on its way. @param all how many there are now */
export async function allCompleted(
  owner: pg.Client,
  all: number,
  tell: (line: string) => void,
): Promise<void> {
  let left = all
  let moved = performance.now()
  let told = performance.now()
  while (left > 0) {
    await pause(LOOK_EVERY_MS)
    const now = await countApproved(owner)
    if (now < left) moved = performance.now()
    left = now
    if (msSince(moved) > STUCK_MS)
      throw new Error(`${left} withdrawals wait: ${(await selectDelay(owner)) ?? 'nothing is in their way'}`)
    if (msSince(told) < TELL_EVERY_MS) continue
    told = performance.now()
    tell(`${all - left} of ${all} are completed`)
  }
}

export async function settleAll(
  product: Product,
  owner: pg.Client,
  operatorId: bigint,
  tell: (line: string) => void,
): Promise<Settling> {
  const ids = await selectRequested(owner)
  const approving = performance.now()
  await approveAll(product, operatorId, ids)
  const before = await countMail(owner)
  const used = await product.processorSeconds()
  const approved = Date.now()
  const approvingMs = msSince(approving)
  await allCompleted(owner, ids.length, tell)
  const mail = await countMail(owner)
  const now = await product.processorSeconds()
  const until = await selectMilestones(owner, ids.at(-1) ?? 0n)
  const since = (at: Date) => at.getTime() - approved
  return {
    withdrawals: ids.length,
    approvingMs,
    ms: {
      prepared: since(until.prepared),
      signed: since(until.signed),
      settled: since(until.settled),
      completed: since(until.booked),
    },
    dead: await countDead(owner),
    processors: Object.fromEntries(
      Object.entries(now).map(([name, seconds]) => [name, seconds - (used[name] ?? 0)]),
    ),
    mail: { sent: mail.sent - before.sent, queued: mail.queued },
  }
}
