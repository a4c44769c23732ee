import { parseAddress, type TronAddress } from './address.ts'
import { DEVNET } from './devnet.ts'

/** The USDT contract that is money on each network. */
export const USDT_CONTRACTS = {
  devnet: DEVNET.usdt,
  nile: known('TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'),
  shasta: known('TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'),
  mainnet: known('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
} as const

function known(text: string): TronAddress {
  const address = parseAddress(text)
  if (address === null) throw new Error(`${text} is no address`)
  return address
}
