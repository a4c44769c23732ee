/**
 * The file that brings deposit addresses from a machine without a network. Its signature is by the audit key, which only who holds the
 * keys has; each address is derived again where it is imported.
 */
import { isHeadSigned, netstrings } from '@aval/db/audit-chain'
import { depositAddress, isAccountXpub } from '@aval/tron'
import { z } from 'zod'
import { type DerivingKeys, deriveAddresses } from './addresses.ts'

/** In one file: some five years of a company that grows by fifty members a day, and a minute of deriving. */
export const MOST_ADDRESSES = 100_000
const INDEX_END = 2 ** 31

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
export const addressFile = z.strictObject({
  network: z.string().max(20),
  xpub: z.string().max(200).refine(isAccountXpub),
  /** The index of the first; the others follow it. */
  first: z
    .int()
    .min(0)
    .max(INDEX_END - 1),
  addresses: z
    .array(z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/))
    .min(1)
    .max(MOST_ADDRESSES),
  audit_key: hex(32),
  signature: hex(64),
})
export type AddressFile = z.infer<typeof addressFile>

const messageOf = ({
  network,
  xpub,
  first,
  addresses,
}: Omit<AddressFile, 'audit_key' | 'signature'>): Buffer =>
  netstrings('aval deposit addresses 1', network, xpub, String(first), ...addresses)

/** Of the opened keys, what makes a file. */
interface FileKeys extends DerivingKeys {
  readonly network: string
  readonly xpub: string
  readonly audit: { readonly publicKey: Buffer; sign(message: Buffer): Buffer }
}

export function makeAddressFile(keys: FileKeys, first: number, count: number): AddressFile {
  const addresses = deriveAddresses(keys, BigInt(first), BigInt(count))
  const content = { network: keys.network, xpub: keys.xpub, first, addresses }
  return {
    ...content,
    audit_key: keys.audit.publicKey.toString('hex'),
    signature: keys.audit.sign(messageOf(content)).toString('hex'),
  }
}

interface Pins {
  readonly network: string
  readonly xpub: string
  /** In hex: the installation's. */
  readonly auditKey: string
}

/** Why nothing of it is stored, in one line; null where all of it may be. */
export function addressFileFault(file: AddressFile, pins: Pins): string | null {
  if (file.network !== pins.network)
    return `it is of ${file.network}, and this installation of ${pins.network}`
  if (file.xpub !== pins.xpub) return 'it is of another xpub than this installation’s'
  if (file.audit_key !== pins.auditKey) return 'it is signed by another audit key than this installation’s'
  const [key, signature] = [file.audit_key, file.signature].map((text) => Buffer.from(text, 'hex'))
  if (key === undefined || signature === undefined || !isHeadSigned(key, messageOf(file), signature))
    return 'its signature does not fit what it says'
  const wrong = file.addresses.findIndex(
    (address, place) =>
      file.first + place >= INDEX_END || address !== depositAddress(pins.xpub, file.first + place),
  )
  return wrong === -1 ? null : `address ${file.first + wrong} is not derived from this installation’s xpub`
}
