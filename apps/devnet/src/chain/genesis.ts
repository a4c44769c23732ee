/**
 * The first block: always the same id, with the token contract at its known address and the development
 * wallets funded. Nothing of it is a transaction, as on a real network.
 */
import {
  addressToHex,
  DEVNET,
  devnetAddress,
  encodeAddressWord,
  encodeUintWord,
  type TronAddress,
} from '@aval/tron'
import { Account } from '@ethereumjs/util'
import { USDT_ABI, USDT_BYTECODE } from '../contract/usdt.generated.ts'
import { encodeAbi } from './abi.ts'
import { type BlockHead, makeBlock } from './block.rules.ts'
import type { Changes, Ledger } from './ledger.ts'
import { evmAddress, Machine } from './machine.ts'
import { accountKeyOf, LayeredState, readAccount, writeAccount } from './state.ts'
import { tokenCall, tokenInitCode } from './token.ts'

const SUN = 1_000_000n
const ENERGY = 100_000_000n

/** TRX of each wallet at the start, in sun. Members' and cold addresses begin as what they are: nothing. */
const FUNDED: readonly [TronAddress, bigint][] = [
  [devnetAddress('tokenOwner'), 100_000_000n * SUN],
  [devnetAddress('demoWallet'), 100_000_000n * SUN],
  [devnetAddress('faucet'), 1_000_000_000n * SUN],
  [devnetAddress('hotWallet'), 100_000n * SUN],
]

/** What the demo wallet holds at the start: a billion USDT. */
export const DEMO_USDT = 1_000_000_000n * 1_000_000n

/** The first block; `timestamp` 0 as on the main network, so that the chain's id never changes. */
export function genesisBlock(): BlockHead {
  return makeBlock(null, 0, [])
}

let seeded: Promise<Changes> | null = null

/** The state after the first block. Made once in a process: every chain of it starts from the same. */
export function firstState(): Promise<Changes> {
  seeded ??= seedState()
  return seeded
}

/**
 * Gives the token of a chain that an older version began the code of today; its storage keeps its layout. Nothing
 * else of the first block ever changes.
 */
export async function renewToken(ledger: Ledger): Promise<void> {
  const first = await firstState()
  const code = `c:${addressToHex(DEVNET.usdt).slice(2)}`
  const [account, metadata] = [accountKeyOf(DEVNET.usdt), `m:${DEVNET.usdt}`]
  const [kept, fresh] = [readAccount(ledger.read(account)), readAccount(first.get(account) ?? null)]
  if (ledger.read(code) === first.get(code) || kept === undefined || fresh === undefined) return
  kept.codeHash = fresh.codeHash
  ledger.store.atomically(() => {
    const set = (key: string, value: string): void =>
      ledger.store.run('update state set value = ? where key = ?', value, key)
    set(account, writeAccount(kept))
    for (const key of [code, metadata]) set(key, first.get(key) ?? '')
  })
}

async function seedState(): Promise<Changes> {
  const machine = await Machine.create(new LayeredState())
  for (const [address, balance] of FUNDED) {
    await machine.state.putAccount(evmAddress(address), new Account(0n, balance))
  }
  const owner = devnetAddress('tokenOwner')
  const deployed = await runOrThrow(machine, owner, DEVNET.usdt, '', tokenInitCode('Tether USD', 'USDT', 0n))
  await machine.install(DEVNET.usdt, deployed)
  machine.state.set(
    `m:${DEVNET.usdt}`,
    JSON.stringify({
      origin: owner,
      name: 'TetherToken',
      abi: encodeAbi(USDT_ABI),
      bytecode: USDT_BYTECODE,
      percent: 100,
      energyLimit: 10_000_000,
    }),
  )
  const mint = tokenCall('mint(address,uint256)', [
    encodeAddressWord(devnetAddress('demoWallet')),
    encodeUintWord(DEMO_USDT),
  ])
  await runOrThrow(machine, owner, DEVNET.usdt, mint)
  return machine.state.changes()
}

async function runOrThrow(machine: Machine, from: TronAddress, to: TronAddress, data: string, code?: string) {
  const call = { from, to, value: 0n, data, energyLimit: ENERGY, ...(code === undefined ? {} : { code }) }
  const outcome = await machine.run({ number: 0, timestamp: 0 }, call)
  if (outcome.result !== 'SUCCESS') throw new Error(`the first block failed: ${outcome.result}`)
  return outcome.output
}
