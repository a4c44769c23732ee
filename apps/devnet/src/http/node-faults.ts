/** A node's own development call: what is wrong with it, and making it so. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { UnknownFault } from '../chain/faults.ts'
import { plainUnits } from '../chain/fields.ts'
import { type FaultKind, NODE_FAULTS } from '../node/faults.ts'
import type { ChainNode } from '../node/node.ts'

const clearBody = z.strictObject({ clear: z.literal(true) })
const offBody = z.strictObject({ kind: z.string(), off: z.literal(true) })
const kindOnly = z.looseObject({ kind: z.string() })

/** Adds the call. */
export function faultRoutes(app: FastifyInstance, node: ChainNode): void {
  app.get('/dev/node-fault', async () => ({ on: faultsOn(node), faults: listed() }))

  app.post('/dev/node-fault', async (request) => {
    if (clearBody.safeParse(request.body).success) {
      node.clear()
      return { on: faultsOn(node) }
    }
    const { kind } = kindOnly.parse(request.body)
    if (!isKind(kind)) throw new UnknownFault(Object.keys(NODE_FAULTS))
    if (offBody.safeParse(request.body).success) {
      node.clear(kind)
      return { on: faultsOn(node) }
    }
    return { ...node.fault(request.body), on: faultsOn(node) }
  })
}

function isKind(kind: string): kind is FaultKind {
  return Object.hasOwn(NODE_FAULTS, kind)
}

function listed(): object[] {
  return Object.entries(NODE_FAULTS).map(([kind, { about, takes }]) => ({ kind, about, takes }))
}

/** Those that are on; `left` is for how many answers more. */
function faultsOn(node: ChainNode): object[] {
  return node.faults.list().map(({ fault, fork, phantom, left }) => ({
    ...Object.fromEntries(Object.entries(fault).map(([key, value]) => [key, plain(value)])),
    ...(fork === null ? {} : { from: fork.from }),
    ...(phantom === null ? {} : { txid: phantom.txid, block: phantom.block }),
    ...(left === null ? {} : { left }),
  }))
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? plainUnits(value) : value
}
