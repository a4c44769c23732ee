/** Makes the content of a block out of what waits. */
import { setImmediate } from 'node:timers/promises'
import { type ContractCall, decodeRaw, encodeSigned } from '@aval/tron'
import { hexToBytes } from '@noble/hashes/utils.js'
import { type BlockHead, makeBlock } from './block.rules.ts'
import { bandwidthSize, execute, type Place, validate } from './execute.ts'
import type { EnergyTerms } from './fees.rules.ts'
import { writeJson } from './json.ts'
import type { Included, Ledger, Pending } from './ledger.ts'
import type { Machine } from './machine.ts'
import { infoJson, transactionFields } from './shapes.ts'
import { checkTimes } from './submit.rules.ts'

const YIELD_EVERY = 20

/** A block that is made and not yet stored; what it changed is in the machine's state. */
export interface Produced {
  readonly block: BlockHead
  readonly included: readonly Included[]
}

/** Runs what waits on top of `parent`, on the machine's state. What is no longer allowed is left out. */
export async function produce(
  machine: Machine,
  ledger: Ledger,
  parent: BlockHead,
  timestamp: number,
  waiting: readonly Pending[],
  energy: EnergyTerms,
): Promise<Produced> {
  const place: Place = { block: { number: parent.number + 1, timestamp }, energy }
  const ran = []
  for (const [index, pending] of waiting.entries()) {
    const executed = await run(machine, ledger, pending, parent, place)
    if (executed !== null) ran.push(executed)
    // Without this the EVM's promises would keep everybody else waiting until the block is done.
    if (index % YIELD_EVERY === YIELD_EVERY - 1) await setImmediate()
  }
  const block = makeBlock(
    parent,
    timestamp,
    ran.map((each) => each.bytes),
  )
  return { block, included: ran.map((each, position) => each.include(block, position)) }
}

async function run(machine: Machine, ledger: Ledger, pending: Pending, parent: BlockHead, place: Place) {
  const transaction = decodeRaw(pending.raw)
  const size = bandwidthSize(pending)
  if (checkTimes(transaction, parent, (number) => ledger.block(number)) !== null) return null
  if ((await validate(machine, transaction, size, place.block.timestamp)) !== null) return null
  const execution = await execute(machine, pending.txid, transaction, size, place)
  const signatures = pending.signatures.map((signature) => hexToBytes(signature))
  return {
    bytes: encodeSigned({ raw: pending.raw, signatures }),
    include: (block: BlockHead, position: number): Included => ({
      txid: pending.txid,
      position,
      owner: transaction.contract.owner,
      type: transaction.contract.type satisfies ContractCall['type'],
      raw: pending.raw,
      result: execution.result,
      json: writeJson({
        ret: [{ contractRet: execution.result }],
        ...transactionFields(pending.raw, transaction, pending.signatures, false),
      }),
      info: infoJson(pending.txid, execution, block),
      logs: execution.logs,
    }),
  }
}
