/**
 * Where a withdrawal can be when a process dies: every step from the request to the last mail. Each is reached and held from
 * outside, by what can happen in production as well: a process that hangs, a silent node, a chain without progress, a lock.
 */
import type { Hold, ProcessName, Product, Release } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'
import type { Operator } from './people.ts'
import {
  approve,
  awaitTransfer,
  type OutgoingTransfer,
  send,
  sendUntilAnswered,
  stateOf,
  transfersOf,
  type WithdrawalRequest,
} from './request.ts'

export interface Moment {
  readonly name: string
  /** Whose death is the most dangerous then. */
  readonly victim: ProcessName
  /** Brings the withdrawal there, where it stays until it is released. */
  reach(product: Product, request: WithdrawalRequest, operator: Operator): Promise<Release>
}

/** Sends the request and has it approved; everything that follows happens by itself. */
async function order(product: Product, request: WithdrawalRequest, operator: Operator): Promise<number> {
  const id = await sendUntilAnswered(request)
  await approve(product, operator, id)
  return id
}

const COMMIT = { at: 'COMMIT', of: 'INSERT OR UPDATE', table: 'withdrawal' } as const

const awaitHeld = (hold: Hold, process: 'api' | 'worker', what: string) =>
  until(what, () => hold.isAwaitedBy(process))

const isSeen = ({ seen }: OutgoingTransfer) => seen !== null

/** Switched on now, and off by its release. */
async function chainFault(product: Product, kind: 'solid_stall' | 'empty_blocks'): Promise<Release> {
  await product.dev('fault', { kind, on: true })
  return () => product.dev('fault', { kind, on: false })
}
async function nodeFault(
  product: Product,
  fault: { kind: string; [field: string]: unknown },
): Promise<Release> {
  await product.dev('node-fault', fault)
  return () => product.dev('node-fault', { kind: fault.kind, off: true })
}

export const MOMENTS: readonly Moment[] = [
  {
    name: 'requested, its answer not yet read',
    victim: 'api',
    async reach(product, request) {
      const commits = await product.holdAt(COMMIT)
      send(request).catch(() => undefined)
      await awaitHeld(commits, 'api', 'the request in its COMMIT')
      return commits.release
    },
  },
  {
    name: 'approved, nothing prepared',
    victim: 'postgres',
    async reach(product, request, operator) {
      const resume = await product.freeze('gateway')
      const id = await order(product, request, operator)
      if ((await transfersOf(product, id)).length > 0)
        throw new Error('a stopped gateway prepared a transfer')
      return resume
    },
  },
  {
    name: 'prepared, not signed',
    victim: 'signer',
    async reach(product, request, operator) {
      // The signer accepts the approval, and stands still before there is anything to sign.
      const resumeGateway = await product.freeze('gateway')
      const id = await order(product, request, operator)
      const resume = await product.freeze('signer')
      await resumeGateway()
      await awaitTransfer(product, id, 'a prepared transfer', ({ state }) => state === 'prepared')
      return resume
    },
  },
  {
    name: 'signed, not broadcast',
    victim: 'gateway',
    async reach(product, request, operator) {
      const answerAgain = await nodeFault(product, { kind: 'error', as: 'hang', paths: ['broadcasthex'] })
      const id = await order(product, request, operator)
      await awaitTransfer(product, id, 'a signature', ({ state }) => state === 'signed')
      return answerAgain
    },
  },
  {
    name: 'broadcast, its answer lost',
    victim: 'gateway',
    async reach(product, request, operator) {
      const answerAgain = await nodeFault(product, { kind: 'timeout_after_acceptance' })
      const fillBlocks = await chainFault(product, 'empty_blocks')
      const id = await order(product, request, operator)
      await until('the transfer on the waiting list', async () => (await product.chain()).pending > 0)
      await awaitTransfer(product, id, 'a broadcast without an answer', ({ broadcasts }) => broadcasts === 0)
      return async () => {
        await answerAgain()
        await fillBlocks()
      }
    },
  },
  {
    name: 'in a block that is not solid',
    victim: 'postgres',
    async reach(product, request, operator) {
      const goSolid = await chainFault(product, 'solid_stall')
      const id = await order(product, request, operator)
      await awaitTransfer(product, id, 'a transfer seen in a block', isSeen)
      return goSolid
    },
  },
  {
    name: 'solid, not read',
    victim: 'gateway',
    async reach(product, request, operator) {
      const goSolid = await chainFault(product, 'solid_stall')
      const id = await order(product, request, operator)
      const { seen } = await awaitTransfer(product, id, 'a transfer seen in a block', isSeen)
      const resume = await product.freeze('gateway')
      await goSolid()
      await until('its block to be solid', async () => (await product.chain()).solid >= (seen ?? 0))
      const [transfer] = await transfersOf(product, id)
      if (transfer?.state !== 'signed') throw new Error(`a stopped gateway read it: ${transfer?.state}`)
      return resume
    },
  },
  {
    name: 'settled, not booked',
    victim: 'worker',
    async reach(product, request, operator) {
      const goSolid = await chainFault(product, 'solid_stall')
      const id = await order(product, request, operator)
      const lock = await product.lockMember(request.member.id)
      await goSolid()
      await awaitTransfer(product, id, 'a settled transfer', ({ state }) => state === 'settled')
      await awaitHeld(lock, 'worker', 'the worker in the middle of booking')
      if ((await stateOf(product, id)) !== 'approved') throw new Error('it is booked already')
      return lock.release
    },
  },
  {
    name: 'booked, the mail not sent',
    victim: 'worker',
    async reach(product, request, operator) {
      const goSolid = await chainFault(product, 'solid_stall')
      const id = await order(product, request, operator)
      const commits = await product.holdAt(COMMIT)
      await goSolid()
      await awaitHeld(commits, 'worker', 'the booking in its COMMIT')
      const resume = await product.freeze('worker')
      await commits.release()
      await until('the booking', async () => (await stateOf(product, id)) === 'completed')
      const queued = await product.query(
        "SELECT FROM mail_message WHERE member_id = $1 AND event = $2 AND state = 'queued' AND claim IS NULL",
        [request.member.id, `withdrawal:${id}:completed`],
      )
      if (queued.length !== 1) throw new Error('its mail is not waiting to be sent')
      return resume
    },
  },
]
