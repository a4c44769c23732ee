/**
 * What can go wrong with the chain on demand, for every node alike. One row per fault: what it takes, what it does.
 * Add a row to add a fault; it appears at /dev/fault by itself.
 */
import {
  addressFromHex,
  DEVNET,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  parseAddress,
  type TronAddress,
} from '@aval/tron'
import { z } from 'zod'
import { SEVERAL_ABI, SEVERAL_BYTECODE } from '../contract/several.generated.ts'
import { encodeAbi } from './abi.ts'
import type { Chain } from './chain.ts'
import type { DevWallet } from './dev-wallet.ts'
import { addressText as address, amountText as amount } from './fields.ts'
import { tokenCall, tokenInitCode } from './token.ts'

/** What a fault did, such as the transaction that it sent. */
export type FaultAnswer = Readonly<Record<string, string | number | boolean>>

interface Fault {
  readonly about: string
  /** The fields it takes, for the list of faults. */
  readonly takes: string
  run(input: unknown, wallet: DevWallet): Promise<FaultAnswer>
}

function fault<T>(
  about: string,
  takes: string,
  schema: z.ZodType<T>,
  run: (input: T, wallet: DevWallet) => Promise<FaultAnswer>,
): Fault {
  return { about, takes, run: (input, wallet) => run(schema.parse(input), wallet) }
}

function switched(about: string, set: (on: boolean, chain: Chain) => FaultAnswer): Fault {
  const schema = z.object({ on: z.boolean() })
  return fault(about, 'on: true | false', schema, async ({ on }, { chain }) => ({ on, ...set(on, chain) }))
}

/** A call of the token that only its owner may make. */
async function byOwner(wallet: DevWallet, signature: string, ...words: string[]): Promise<FaultAnswer> {
  return { txid: await wallet.callToken('tokenOwner', tokenCall(signature, words)) }
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  wrong_token: fault(
    'Pays with another token of the same name (deployed at first use, which makes one block).',
    'to, amount',
    z.object({ to: address, amount }),
    async (input, wallet) => {
      const token = await wrongToken(wallet)
      const txid = await wallet.callToken('faucet', encodeTransferCall(input.to, input.amount), { token })
      return { txid, token }
    },
  ),
  zero_transfer: fault(
    'Transfers nothing: a successful Transfer event of value zero.',
    'to',
    z.object({ to: address }),
    async (input, wallet) => ({
      txid: await wallet.callToken('demoWallet', encodeTransferCall(input.to, 0n)),
    }),
  ),
  several_transfers: fault(
    'Pays several times in one transaction, each by a Transfer event of its own (by a contract, which makes two blocks at first use).',
    'to, amounts: 2 to 20',
    z.object({ to: address, amounts: z.array(amount).min(2).max(20) }),
    async ({ to, amounts }, wallet) => {
      const words = [DEVNET.usdt, to].map(encodeAddressWord)
      const list = [96n, BigInt(amounts.length), ...amounts].map(encodeUintWord)
      const data = tokenCall('pay(address,address,uint256[])', [...words, ...list])
      return { txid: await wallet.callToken('demoWallet', data, { token: await severalPayer(wallet) }) }
    },
  ),
  failed_transfer: fault(
    'A transfer that fails in its block.',
    'to, amount, reason: revert | out_of_energy',
    z.object({ to: address, amount, reason: z.enum(['revert', 'out_of_energy']).default('revert') }),
    async (input, wallet) => {
      const data = encodeTransferCall(input.to, input.amount)
      // The faucet owns no USDT, so its transfer reverts; 1,000 units of energy are too few for any.
      if (input.reason === 'revert') return { txid: await wallet.callToken('faucet', data) }
      const feeLimit = 1_000n * wallet.chain.energy.price
      return { txid: await wallet.callToken('demoWallet', data, { feeLimit }) }
    },
  ),
  pause: fault(
    'Pauses the USDT contract, or resumes it.',
    'paused: true | false',
    z.object({ paused: z.boolean() }),
    ({ paused }, wallet) => byOwner(wallet, paused ? 'pause()' : 'unpause()'),
  ),
  blacklist: fault(
    'Puts an address on the USDT blacklist, or takes it off: it cannot send while it is on it.',
    'address, listed: true | false',
    z.object({ address, listed: z.boolean() }),
    ({ address, listed }, wallet) => {
      const name = listed ? 'addBlackList(address)' : 'removeBlackList(address)'
      return byOwner(wallet, name, encodeAddressWord(address))
    },
  ),
  fee: fault(
    'Switches the USDT transfer fee on (or off with 0): the receiver gets less than was sent.',
    'basis_points: 0..19, maximum_fee: at most 50',
    z.object({ basis_points: z.int().min(0).max(19), maximum_fee: amount }),
    (input, wallet) => {
      const words = [encodeUintWord(BigInt(input.basis_points)), encodeUintWord(input.maximum_fee)]
      return byOwner(wallet, 'setParams(uint256,uint256)', ...words)
    },
  ),
  destroy_black_funds: fault(
    'Takes all USDT from an address on the blacklist and out of the supply: there is no Transfer event of it.',
    'address (on the blacklist: otherwise the transaction fails)',
    z.object({ address }),
    (input, wallet) => byOwner(wallet, 'destroyBlackFunds(address)', encodeAddressWord(input.address)),
  ),
  energy: fault(
    'Calls take more energy, or energy costs more: a usual fee limit is too small, and a transfer ends OUT_OF_ENERGY.',
    'factor: 1..1000 (1 is usual), price: sun per unit, 1..1000000 (100 is usual)',
    z
      .object({ factor: z.number().min(1).max(1_000).optional(), price: z.int().min(1).max(1e6).optional() })
      .refine(
        ({ factor, price }) => factor !== undefined || price !== undefined,
        'factor or price is needed',
      ),
    async ({ factor, price }, { chain }) => {
      const since = chain.head().timestamp
      chain.setConditions({
        ...(factor === undefined ? {} : { energyHundredths: Math.round(factor * 100) }),
        ...(price === undefined ? {} : { energyPrice: price === 100 ? null : { sun: price, since } }),
      })
      return { factor: chain.conditions.energyHundredths / 100, price: Number(chain.energy.price) }
    },
  ),
  empty_blocks: switched('Blocks are made without transactions, which wait, and expire.', (on, chain) => {
    chain.setConditions({ emptyBlocks: on })
    return {}
  }),
  stall: switched('No blocks are made.', (on, chain) => {
    chain.setConditions({ stall: on })
    return {}
  }),
  solid_stall: switched('The head grows and the solid block stands still.', (on, chain) => {
    chain.setConditions({ solidStall: on ? chain.solid().number : null })
    return { solid: chain.solid().number }
  }),
  drop_pending: fault(
    'Drops every transaction that waits for a block; they can be sent again.',
    '',
    z.object({}),
    async (_input, { chain }) => ({ dropped: await chain.dropPending() }),
  ),
}

/**
 * Does a fault of the chain.
 * @throws UnknownFault; a ZodError for wrong fields; DevRefusal when the chain does not take its transaction
 */
export async function runFault(kind: string, input: unknown, wallet: DevWallet): Promise<FaultAnswer> {
  const fault = Object.hasOwn(FAULTS, kind) ? FAULTS[kind] : undefined
  if (fault === undefined) throw new UnknownFault(Object.keys(FAULTS))
  return fault.run(input, wallet)
}

export class UnknownFault extends Error {
  override readonly name = 'UnknownFault'

  constructor(kinds: readonly string[]) {
    super(`there is no such fault; there are: ${kinds.join(', ')}`)
  }
}

/** The other token's contract. */
const wrongToken = (wallet: DevWallet) =>
  deployed(wallet, 'wrong_token', {
    name: 'TetherToken',
    abi: '',
    bytecode: tokenInitCode('Tether USD', 'USDT', 10n ** 18n),
  })

/** The contract that pays several times, with an allowance of the demo wallet's. */
async function severalPayer(wallet: DevWallet): Promise<TronAddress> {
  const isNew = wallet.chain.ledger.store.meta('several_payer') === null
  const payer = await deployed(wallet, 'several_payer', {
    name: 'Several',
    abi: encodeAbi(SEVERAL_ABI),
    bytecode: SEVERAL_BYTECODE,
  })
  if (isNew) {
    const words = [encodeAddressWord(payer), encodeUintWord((1n << 256n) - 1n)]
    await wallet.callToken('demoWallet', tokenCall('approve(address,uint256)', words))
    await wallet.chain.mine()
  }
  return payer
}

/** The address of a contract; deployed when the chain has none under this entry yet. */
async function deployed(
  wallet: DevWallet,
  entry: string,
  contract: { readonly name: string; readonly abi: string; readonly bytecode: string },
): Promise<TronAddress> {
  const { store } = wallet.chain.ledger
  const known = parseAddress(store.meta(entry) ?? '')
  if (known !== null) return known
  const txid = await wallet.send('faucet', {
    ...contract,
    type: 'CreateSmartContract',
    callValue: 0n,
    consumeUserResourcePercent: 100n,
    originEnergyLimit: 10_000_000n,
  })
  await wallet.chain.mine()
  const created = wallet.chain.ledger.transaction(txid)
  const shape = z.object({ contract_address: z.string() }).parse(JSON.parse(created?.info ?? '{}'))
  const address = addressFromHex(shape.contract_address)
  store.setMeta(entry, address)
  return address
}
