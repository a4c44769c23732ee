/** The token that is money on each network, and the fixed facts of the development chain, so that all that is built on it can pin them. */
import { addressFromPrivateKey, parseAddress, type TronAddress } from './address.ts'
import { accountPrivateKey } from './keys.ts'

/** Roles with a fixed key on the development chain, at m/44'/195'/1'/0/n, apart from deposit addresses. */
export const DEVNET_ROLES = [
  'tokenOwner',
  'demoWallet',
  'faucet',
  'witness',
  'hotWallet',
  'coldWallet',
] as const
export type DevnetRole = (typeof DEVNET_ROLES)[number]

/** Constants of the development chain. Its keys come from the best-known test mnemonic: real money sent to them is lost. */
export const DEVNET = {
  /** Never to be used anywhere else: everybody knows it. */
  mnemonic: 'test test test test test test test test test test test junk',
  /** Of its first account: what deposit addresses are derived from. */
  xpub: 'xpub6BuRy7ZmkGfP2RWhoor1kWB1w9DvrtmJbFBvnC1bQ4SB5NbCHTyQYCJSXZtxDbFyHTmC7wkU2he3nYYdpZ3Vf6qUAkXSnL6RPif4BDtDEKr',
  /** The token contract, "Tether USD", 6 decimals: placed at this address in the first block. */
  usdt: known('TDHwFAiQMKN9os2HTC26eFY45GhxnnrDTZ'),
  /** What the chain calls itself in its status. */
  chain: 'aval-devnet',
  /** The EVM's `block.chainid`: in no registry, and not one of Tron's own networks. */
  chainId: 195_001,
} as const

/** The USDT contract that is money on each network. */
export const USDT_CONTRACTS = {
  devnet: DEVNET.usdt,
  nile: known('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'),
  shasta: known('TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'),
  mainnet: known('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
} as const

/**
 * The id of the first block of each public network; the development chain's is pinned by the first start. Source: block 0 as the
 * networks' nodes and explorers give it; its last four bytes are the chain ids 0x2b6653dc, 0xcd8690dc and 0x94a9059e of `eth_chainId`
 * (developers.tron.network).
 */
export const GENESIS_BLOCKS = {
  mainnet: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  nile: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
  shasta: '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e',
} as const

// Stretching the mnemonic takes some 15 ms and an address a part of one, and everybody asks for these over and over.
const keys = new Map<DevnetRole, Uint8Array>()
const addresses = new Map<DevnetRole, TronAddress>()

/** The 32-byte private key of a role. */
export function devnetKey(role: DevnetRole): Uint8Array {
  const key = keys.get(role) ?? accountPrivateKey(DEVNET.mnemonic, 1, DEVNET_ROLES.indexOf(role))
  keys.set(role, key)
  return Uint8Array.from(key)
}

export function devnetAddress(role: DevnetRole): TronAddress {
  const address = addresses.get(role) ?? addressFromPrivateKey(devnetKey(role))
  addresses.set(role, address)
  return address
}

function known(text: string): TronAddress {
  const address = parseAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return address
}
