/**
 * What can go wrong on demand. One row per fault: what it takes, what it does. Add a row to add a fault; it
 * appears at /dev/fault by itself.
 */
import {
  addressFromHex,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  parseAddress,
} from '@aval/tron'
import { z } from 'zod'
import { parseUnits } from './amounts.ts'
import type { DevWallet } from './dev-wallet.ts'
import { tokenCall, tokenInitCode } from './genesis.ts'

const address = z.string().transform((text, context) => {
  const parsed = parseAddress(text)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: 'is no Tron address' })
  return z.NEVER
})
const amount = z.string().transform((text, context) => {
  const parsed = parseUnits(text)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: 'is no amount: a decimal string with at most 6 decimals' })
  return z.NEVER
})

interface Fault {
  readonly about: string
  /** The fields it takes, for the list of faults. */
  readonly takes: string
  run(input: unknown, wallet: DevWallet): Promise<Record<string, string>>
}

function fault<T>(
  about: string,
  takes: string,
  schema: z.ZodType<T>,
  run: (input: T, wallet: DevWallet) => Promise<Record<string, string>>,
): Fault {
  return { about, takes, run: (input, wallet) => run(schema.parse(input), wallet) }
}

/** All faults by name. */
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
  failed_transfer: fault(
    'A transfer that fails in its block.',
    'to, amount, reason: revert | out_of_energy',
    z.object({ to: address, amount, reason: z.enum(['revert', 'out_of_energy']).default('revert') }),
    async (input, wallet) => {
      const data = encodeTransferCall(input.to, input.amount)
      // The faucet owns no USDT, so its transfer reverts; 1,000 units of energy are too few for any.
      if (input.reason === 'revert') return { txid: await wallet.callToken('faucet', data) }
      return { txid: await wallet.callToken('demoWallet', data, { feeLimit: 100_000n }) }
    },
  ),
  pause: fault(
    'Pauses the USDT contract, or resumes it.',
    'paused: true | false',
    z.object({ paused: z.boolean() }),
    async (input, wallet) => ({
      txid: await wallet.callToken('tokenOwner', tokenCall(input.paused ? 'pause()' : 'unpause()', [])),
    }),
  ),
  blacklist: fault(
    'Puts an address on the USDT blacklist, or takes it off: it cannot send while it is on it.',
    'address, listed: true | false',
    z.object({ address, listed: z.boolean() }),
    async (input, wallet) => {
      const name = input.listed ? 'addBlackList(address)' : 'removeBlackList(address)'
      const data = tokenCall(name, [encodeAddressWord(input.address)])
      return { txid: await wallet.callToken('tokenOwner', data) }
    },
  ),
  fee: fault(
    'Switches the USDT transfer fee on (or off with 0): the receiver gets less than was sent.',
    'basis_points: 0..19, maximum_fee: at most 50',
    z.object({ basis_points: z.int().min(0).max(19), maximum_fee: amount }),
    async (input, wallet) => {
      const words = [encodeUintWord(BigInt(input.basis_points)), encodeUintWord(input.maximum_fee)]
      return { txid: await wallet.callToken('tokenOwner', tokenCall('setParams(uint256,uint256)', words)) }
    },
  ),
}

/** The other token's contract; deployed when there is none yet. */
async function wrongToken(wallet: DevWallet) {
  const { store } = wallet.chain.ledger
  const known = parseAddress(store.meta('wrong_token') ?? '')
  if (known !== null) return known
  const txid = await wallet.send('faucet', {
    type: 'CreateSmartContract',
    abi: '',
    bytecode: tokenInitCode('Tether USD', 'USDT', 10n ** 18n),
    callValue: 0n,
    consumeUserResourcePercent: 100n,
    name: 'TetherToken',
    originEnergyLimit: 10_000_000n,
  })
  await wallet.chain.mine()
  const created = wallet.chain.ledger.transaction(txid)
  const shape = z.object({ contract_address: z.string() }).parse(JSON.parse(created?.info ?? '{}'))
  const token = addressFromHex(shape.contract_address)
  store.setMeta('wrong_token', token)
  return token
}
