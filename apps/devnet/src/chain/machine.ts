/** The EVM, run on a layered state: one call at a time, its failure never an exception. */

import { addressFromHex, addressToHex, DEVNET, type TronAddress } from '@aval/tron'
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM } from '@ethereumjs/evm'
import { Address } from '@ethereumjs/util'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { type BlockHead, WITNESS } from './block.rules.ts'
import type { IncludedLog } from './ledger.ts'
import type { LayeredState } from './state.ts'

/** A call. `code` replaces the target's own code (a constructor). Values in sun, data hex. */
export interface Call {
  readonly from: TronAddress
  readonly to: TronAddress
  readonly value: bigint
  readonly data: string
  readonly energyLimit: bigint
  readonly code?: string
}

/** What a call did. `result` is java-tron's word; `output` is hex. */
export interface CallOutcome {
  readonly result: string
  readonly output: string
  readonly energyUsed: bigint
  readonly logs: readonly IncludedLog[]
}

/** java-tron's `contractResult` for the errors of this EVM. */
const RESULTS: Readonly<Record<string, string>> = {
  revert: 'REVERT',
  'out of gas': 'OUT_OF_ENERGY',
  'code store out of gas': 'OUT_OF_ENERGY',
  'invalid opcode': 'ILLEGAL_OPERATION',
  'static state change': 'ILLEGAL_OPERATION',
  'stack underflow': 'STACK_TOO_SMALL',
  'stack overflow': 'STACK_TOO_LARGE',
  'invalid JUMP': 'BAD_JUMP_DESTINATION',
  'insufficient balance': 'TRANSFER_FAILED',
  'invalid bytecode deployed': 'INVALID_CODE',
}

export class Machine {
  readonly state: LayeredState
  private readonly evm: EVM

  private constructor(evm: EVM, state: LayeredState) {
    this.evm = evm
    this.state = state
  }

  static async create(state: LayeredState): Promise<Machine> {
    const common = createCustomCommon({ chainId: DEVNET.chainId, name: DEVNET.chain }, Mainnet, {
      hardfork: Hardfork.Cancun,
    })
    return new Machine(await createEVM({ common, stateManager: state }), state)
  }

  /** Runs a call inside this block. When it fails, the state is as before, but for the caller's nonce. */
  async run(block: Pick<BlockHead, 'number' | 'timestamp'>, call: Call): Promise<CallOutcome> {
    const depth = this.state.depth()
    try {
      const { execResult } = await this.evm.runCall({
        block: blockContext(block),
        caller: evmAddress(call.from),
        origin: evmAddress(call.from),
        to: evmAddress(call.to),
        value: call.value,
        data: hexToBytes(call.data),
        gasLimit: call.energyLimit,
        ...(call.code === undefined ? {} : { code: hexToBytes(call.code) }),
      })
      const error = execResult.exceptionError?.error
      return {
        result: error === undefined ? 'SUCCESS' : (RESULTS[error] ?? 'UNKNOWN'),
        output: bytesToHex(execResult.returnValue),
        energyUsed: execResult.executionGasUsed,
        logs: (execResult.logs ?? []).map(toLog),
      }
    } catch {
      // Some precompiles throw on input that a real machine would answer with a failed call.
      this.state.unwind(depth)
      return { result: 'UNKNOWN', output: '', energyUsed: call.energyLimit, logs: [] }
    } finally {
      this.evm.journal.cleanJournal()
      this.evm.transientStorage.clear()
    }
  }

  async install(address: TronAddress, code: string): Promise<void> {
    await this.state.putCode(evmAddress(address), hexToBytes(code))
  }
}

export function evmAddress(address: TronAddress): Address {
  return new Address(hexToBytes(addressToHex(address).slice(2)))
}

function blockContext(block: Pick<BlockHead, 'number' | 'timestamp'>) {
  return {
    header: {
      number: BigInt(block.number),
      coinbase: evmAddress(WITNESS),
      timestamp: BigInt(Math.floor(block.timestamp / 1000)),
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 0n,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 0n,
    },
  }
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): IncludedLog {
  return {
    contract: addressFromHex(bytesToHex(address)),
    topics: topics.map(bytesToHex),
    data: bytesToHex(data),
  }
}
