/**
 * The first block: always the same id, with the token contract at its known address and the development
 * wallets funded. Nothing of it is a transaction, as on a real network.
 */
import { DEVNET, devnetAddress, encodeAddressWord, encodeUintWord, type TronAddress } from '@aval/tron'
import { Account } from '@ethereumjs/util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { USDT_ABI, USDT_BYTECODE } from '../contract/usdt.generated.ts'
import { encodeAbi } from './abi.ts'
import { type BlockHead, makeBlock } from './block.rules.ts'
import { evmAddress, type Machine } from './machine.ts'

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

/** Fills an empty state with what the chain starts from. */
export async function seedState(machine: Machine): Promise<void> {
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
}

/** The creation code of a token of this kind: its bytecode and its constructor's arguments, hex. */
export function tokenInitCode(name: string, symbol: string, supply: bigint): string {
  const [encodedName, encodedSymbol] = [encodeString(name), encodeString(symbol)]
  const second = BigInt(96 + encodedName.length / 2)
  const head = encodeUintWord(96n) + encodeUintWord(second) + encodeUintWord(supply)
  return USDT_BYTECODE + head + encodedName + encodedSymbol
}

/** Call data: the function's four bytes and its arguments as words, hex. */
export function tokenCall(signature: string, words: readonly string[]): string {
  return bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4)) + words.join('')
}

function encodeString(value: string): string {
  const bytes = bytesToHex(utf8ToBytes(value))
  return encodeUintWord(BigInt(bytes.length / 2)) + bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
}

async function runOrThrow(machine: Machine, from: TronAddress, to: TronAddress, data: string, code?: string) {
  const call = { from, to, value: 0n, data, energyLimit: ENERGY, ...(code === undefined ? {} : { code }) }
  const outcome = await machine.run({ number: 0, timestamp: 0 }, call)
  if (outcome.result !== 'SUCCESS') throw new Error(`the first block failed: ${outcome.result}`)
  return outcome.output
}
