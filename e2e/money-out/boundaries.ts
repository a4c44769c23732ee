/**
 * Where a withdrawal can be when a process dies: every step from the request to the last message. Each is reached and held
 * from outside, with what the world could do as well: a process that stands still, a node that falls silent, a chain that
 * makes no progress, a lock that somebody else has.
 */
import { approve, ask, type Errand, paymentsOf, paymentThat, send, stateOf } from './errand.ts'
import type { Operator } from './people.ts'
import type { Barrier, LetGo, Scene, Victim } from './scene.ts'
import { until } from './waiting.ts'

export interface Boundary {
  readonly name: string
  /** Whose death is the most dangerous there. */
  readonly victim: Victim
  /** Brings the withdrawal there, where it stays until the answer is called. */
  reach(scene: Scene, errand: Errand, operator: Operator): Promise<LetGo>
}

/** Asks and has it approved; everything that follows happens by itself. */
async function order(scene: Scene, errand: Errand, operator: Operator): Promise<number> {
  const id = await ask(errand)
  await approve(scene, operator, id)
  return id
}

const awaitHeld = (barrier: Barrier, process: 'api' | 'worker', what: string) =>
  until(what, () => barrier.holds(process))

/** Switched on now; letting go switches it off, and does no harm twice. */
async function chainFault(scene: Scene, kind: 'solid_stall' | 'empty_blocks'): Promise<LetGo> {
  await scene.dev('fault', { kind, on: true })
  return () => scene.dev('fault', { kind, on: false })
}
async function nodeFault(scene: Scene, fault: { kind: string; [field: string]: unknown }): Promise<LetGo> {
  await scene.dev('node-fault', fault)
  return () => scene.dev('node-fault', { kind: fault.kind, off: true })
}

export const BOUNDARIES: readonly Boundary[] = [
  {
    name: 'requested, its answer not yet read',
    victim: 'api',
    async reach(scene, errand) {
      const gate = await scene.closeGate()
      send(errand).catch(() => undefined)
      await awaitHeld(gate, 'api', 'the request in its COMMIT')
      return gate.lift
    },
  },
  {
    name: 'approved, nothing prepared',
    victim: 'postgres',
    async reach(scene, errand, operator) {
      const thaw = await scene.freeze('gateway')
      const id = await order(scene, errand, operator)
      if ((await paymentsOf(scene, id)).length > 0) throw new Error('a stopped gateway prepared a transfer')
      return thaw
    },
  },
  {
    name: 'prepared, not signed',
    victim: 'signer',
    async reach(scene, errand, operator) {
      const thaw = await scene.freeze('signer')
      const id = await order(scene, errand, operator)
      await paymentThat(scene, id, 'a prepared transfer', ({ state }) => state === 'prepared')
      return thaw
    },
  },
  {
    name: 'signed, not broadcast',
    victim: 'gateway',
    async reach(scene, errand, operator) {
      const heal = await nodeFault(scene, { kind: 'error', as: 'hang', paths: ['broadcasthex'] })
      const id = await order(scene, errand, operator)
      await paymentThat(scene, id, 'a signature', ({ state }) => state === 'signed')
      return heal
    },
  },
  {
    name: 'handed over, the answer never heard',
    victim: 'gateway',
    async reach(scene, errand, operator) {
      const heal = await nodeFault(scene, { kind: 'timeout_after_acceptance' })
      const fill = await chainFault(scene, 'empty_blocks')
      const id = await order(scene, errand, operator)
      await until('the transfer on the waiting list', async () => (await scene.chain()).pending > 0)
      await paymentThat(scene, id, 'a hand-over without an answer', ({ broadcasts }) => broadcasts === 0)
      return async () => {
        await heal()
        await fill()
      }
    },
  },
  {
    name: 'in a block that is not solid',
    victim: 'postgres',
    async reach(scene, errand, operator) {
      const goOn = await chainFault(scene, 'solid_stall')
      const id = await order(scene, errand, operator)
      await paymentThat(scene, id, 'a sighting', ({ seen }) => seen !== null)
      return goOn
    },
  },
  {
    name: 'solid, not read',
    victim: 'gateway',
    async reach(scene, errand, operator) {
      const goOn = await chainFault(scene, 'solid_stall')
      const id = await order(scene, errand, operator)
      const { seen } = await paymentThat(scene, id, 'a sighting', (payment) => payment.seen !== null)
      const thaw = await scene.freeze('gateway')
      await goOn()
      await until('its block to be solid', async () => (await scene.chain()).solid >= (seen ?? 0))
      const [payment] = await paymentsOf(scene, id)
      if (payment?.state !== 'signed') throw new Error(`a stopped gateway read it: ${payment?.state}`)
      return thaw
    },
  },
  {
    name: 'settled, not booked',
    victim: 'worker',
    async reach(scene, errand, operator) {
      const goOn = await chainFault(scene, 'solid_stall')
      const id = await order(scene, errand, operator)
      const lock = await scene.lockMember(errand.member.id)
      await goOn()
      await paymentThat(scene, id, 'a settled transfer', ({ state }) => state === 'settled')
      await awaitHeld(lock, 'worker', 'the worker in the middle of booking')
      if ((await stateOf(scene, id)) !== 'approved') throw new Error('it is booked already')
      return lock.lift
    },
  },
  {
    name: 'booked, the mail not sent',
    victim: 'worker',
    async reach(scene, errand, operator) {
      const goOn = await chainFault(scene, 'solid_stall')
      const id = await order(scene, errand, operator)
      const gate = await scene.closeGate()
      await goOn()
      await awaitHeld(gate, 'worker', 'the booking in its COMMIT')
      const thaw = await scene.freeze('worker')
      await gate.lift()
      await until('the booking', async () => (await stateOf(scene, id)) === 'completed')
      const queued = await scene.query(
        "SELECT FROM mail_message WHERE member_id = $1 AND event = $2 AND state = 'queued' AND claim IS NULL",
        [errand.member.id, `withdrawal:${id}:completed`],
      )
      if (queued.length !== 1) throw new Error('its mail is not waiting to be sent')
      return thaw
    },
  },
]
