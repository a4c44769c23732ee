/** Runs transactions on the state: checks what java-tron checks, moves the money, charges the fees, makes blocks of them. */
import { setImmediate } from 'node:timers/promises'
import {
  type ContractCall,
  contractAddress,
  decodeRaw,
  encodeSigned,
  type RawTransaction,
  type TronAddress,
} from '@aval/tron'
import { Account } from '@ethereumjs/util'
import { hexToBytes } from '@noble/hashes/utils.js'
import { type BlockHead, makeBlock } from './block.rules.ts'
import {
  bandwidth,
  type EnergyTerms,
  energyLimit,
  NEW_ACCOUNT_FEE,
  NEW_ACCOUNT_NET_FEE,
  RESULT_BYTES,
  readUsage,
  withoutPenalty,
  withPenalty,
  writeUsage,
} from './fees.rules.ts'
import type { Included, Ledger, Pending } from './ledger.ts'
import { evmAddress, type Machine } from './machine.ts'
import { type Execution, inBlock, plainExecution } from './shapes.ts'
import { checkTimes, invalidContract, NO_BANDWIDTH, type Refusal } from './submit.rules.ts'

/** Where and on which terms a transaction runs. */
interface Place {
  readonly block: Pick<BlockHead, 'number' | 'timestamp'>
  readonly energy: EnergyTerms
}

/** The bytes of bandwidth a transaction takes. */
export function bandwidthSize(pending: Pending): number {
  const signatures = pending.signatures.map((signature) => hexToBytes(signature))
  return encodeSigned({ raw: pending.raw, signatures }).length + RESULT_BYTES
}

/** Why the state does not allow this transaction, or null. Nothing is changed. */
export async function validate(
  machine: Machine,
  transaction: RawTransaction,
  size: number,
  now: number,
): Promise<Refusal | null> {
  const { contract } = transaction
  const owner = await machine.state.getAccount(evmAddress(contract.owner))
  if (owner === undefined) return invalidContract(`account [${contract.owner}] does not exist`)
  const refusal = await validateContract(machine, transaction, owner)
  if (refusal !== null) return refusal
  if (await isNewAccount(machine, contract)) return null
  const net = bandwidth(readUsage(machine.state.get(`n:${contract.owner}`)), size, now)
  return net.fee > owner.balance ? NO_BANDWIDTH : null
}

/** Runs a transaction that {@link validate} allows. A failed call is an outcome, not an error. */
async function execute(
  machine: Machine,
  txid: string,
  transaction: RawTransaction,
  size: number,
  place: Place,
): Promise<Execution> {
  const { contract } = transaction
  if (contract.type === 'TransferContract' && (await isNewAccount(machine, contract))) {
    const fee = NEW_ACCOUNT_FEE + NEW_ACCOUNT_NET_FEE
    await moveTrx(machine, contract.owner, contract.to, contract.amount, fee)
    return { ...plainExecution(0, NEW_ACCOUNT_NET_FEE), fee }
  }
  const net = await chargeBandwidth(machine, contract.owner, size, place.block.timestamp)
  switch (contract.type) {
    case 'TransferContract':
      await moveTrx(machine, contract.owner, contract.to, contract.amount, 0n)
      return net
    case 'TriggerSmartContract':
      return call(machine, transaction, net, place, {
        to: contract.contract,
        value: contract.callValue,
        data: contract.data,
      })
    case 'CreateSmartContract':
      return call(machine, transaction, net, place, {
        to: contractAddress(txid, contract.owner),
        value: contract.callValue,
        data: '',
        code: contract.bytecode,
      })
    default:
      return contract satisfies never
  }
}

async function call(
  machine: Machine,
  transaction: RawTransaction,
  net: Execution,
  place: Place,
  target: { to: TronAddress; value: bigint; data: string; code?: string },
): Promise<Execution> {
  const { owner } = transaction.contract
  const balance = (await machine.state.getAccount(evmAddress(owner)))?.balance ?? 0n
  const limit = energyLimit(balance, target.value, transaction.feeLimit, place.energy.price)
  const counted = withoutPenalty(limit, place.energy)
  const outcome = await machine.run(place.block, { from: owner, energyLimit: counted, ...target })
  const energyUsed = outcome.energyUsed === counted ? limit : withPenalty(outcome.energyUsed, place.energy)
  const energyFee = energyUsed * place.energy.price
  await adjust(machine, owner, -energyFee)
  if (target.code !== undefined && outcome.result === 'SUCCESS') {
    await machine.install(target.to, outcome.output)
    const { contract } = transaction
    machine.state.set(`m:${target.to}`, contract.type === 'CreateSmartContract' ? describe(contract) : null)
  }
  return {
    ...net,
    ...outcome,
    energyUsed,
    energyPenalty: energyUsed - outcome.energyUsed,
    energyFee,
    fee: net.netFee + energyFee,
    contract: target.to,
  }
}

function describe(contract: Extract<ContractCall, { type: 'CreateSmartContract' }>): string {
  return JSON.stringify({
    origin: contract.owner,
    name: contract.name,
    abi: contract.abi,
    bytecode: contract.bytecode,
    percent: Number(contract.consumeUserResourcePercent),
    energyLimit: Number(contract.originEnergyLimit),
  })
}

async function validateContract(
  machine: Machine,
  transaction: RawTransaction,
  owner: Account,
): Promise<Refusal | null> {
  const { contract } = transaction
  switch (contract.type) {
    case 'TransferContract': {
      const what = 'Validate TransferContract error'
      if (contract.amount <= 0n) return invalidContract('Amount must be greater than 0.')
      if (contract.owner === contract.to) return invalidContract('Cannot transfer TRX to yourself.')
      const extra = (await isNewAccount(machine, contract)) ? NEW_ACCOUNT_FEE + NEW_ACCOUNT_NET_FEE : 0n
      if (owner.balance < contract.amount + extra)
        return invalidContract(`${what}, balance is not sufficient.`)
      return null
    }
    case 'TriggerSmartContract': {
      const size = await machine.state.getCodeSize(evmAddress(contract.contract))
      if (size === 0) return invalidContract('No contract or not a valid smart contract')
      return contract.callValue > owner.balance ? invalidContract('balance is not sufficient') : null
    }
    case 'CreateSmartContract':
      if (contract.bytecode === '') return invalidContract('contract bytecode is empty')
      return contract.callValue > owner.balance ? invalidContract('balance is not sufficient') : null
    default:
      return contract satisfies never
  }
}

async function isNewAccount(machine: Machine, contract: ContractCall): Promise<boolean> {
  if (contract.type !== 'TransferContract') return false
  return (await machine.state.getAccount(evmAddress(contract.to))) === undefined
}

async function chargeBandwidth(
  machine: Machine,
  owner: TronAddress,
  size: number,
  now: number,
): Promise<Execution> {
  const key = `n:${owner}`
  const net = bandwidth(readUsage(machine.state.get(key)), size, now)
  machine.state.set(key, writeUsage(net.used))
  await adjust(machine, owner, -net.fee)
  return plainExecution(net.fee === 0n ? size : 0, net.fee)
}

async function moveTrx(machine: Machine, from: TronAddress, to: TronAddress, amount: bigint, fee: bigint) {
  await adjust(machine, from, -amount - fee)
  await adjust(machine, to, amount)
}

async function adjust(machine: Machine, address: TronAddress, delta: bigint): Promise<void> {
  const account = (await machine.state.getAccount(evmAddress(address))) ?? new Account()
  account.balance += delta
  await machine.state.putAccount(evmAddress(address), account)
}

const YIELD_EVERY = 20

/**
 * Makes a block on top of `parent` of what waits, on the machine's state, which then has what changed. What is no longer
 * allowed is left out.
 */
export async function produce(
  machine: Machine,
  ledger: Ledger,
  parent: BlockHead,
  timestamp: number,
  waiting: readonly Pending[],
  energy: EnergyTerms,
) {
  const place: Place = { block: { number: parent.number + 1, timestamp }, energy }
  const ran = []
  for (const [index, pending] of waiting.entries()) {
    const executed = await runPending(machine, ledger, pending, parent, place)
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

async function runPending(
  machine: Machine,
  ledger: Ledger,
  pending: Pending,
  parent: BlockHead,
  place: Place,
) {
  const transaction = decodeRaw(pending.raw)
  const size = bandwidthSize(pending)
  if (checkTimes(transaction, parent, (number) => ledger.block(number)) !== null) return null
  if ((await validate(machine, transaction, size, place.block.timestamp)) !== null) return null
  const execution = await execute(machine, pending.txid, transaction, size, place)
  const signatures = pending.signatures.map((signature) => hexToBytes(signature))
  return {
    bytes: encodeSigned({ raw: pending.raw, signatures }),
    include: (block: BlockHead, position: number): Included => ({
      ...inBlock(pending, execution, block, position),
      logs: execution.logs,
    }),
  }
}
