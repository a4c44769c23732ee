/**
 * Hierarchical keys (BIP32/39/44, coin type 195 for Tron).
 *
 * Terms: an *account* is the hardened node m/44'/195'/a'; its *xpub* can derive every address below it and
 * sign nothing. Member i is paid at m/44'/195'/0'/0/i.
 */
import { HDKey } from '@scure/bip32'
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { addressFromPublicKey, type TronAddress } from './address.ts'

const ACCOUNT_DEPTH = 3
const HARDENED = 0x8000_0000

/**
 * The extended public key of m/44'/195'/0': what the deposit side needs, and nothing that can spend.
 * @throws when the mnemonic is not twelve to twenty-four valid English BIP39 words
 */
export function accountXpub(mnemonic: string): string {
  return accountKey(mnemonic, 0).publicExtendedKey
}

/**
 * The deposit address number `index` (m/44'/195'/0'/0/index) from an account's xpub.
 * @param index 0 to 2^31−1
 * @throws on an xprv, a key that is not at account depth, or a bad index
 */
export function depositAddress(xpub: string, index: number): TronAddress {
  return addressFromPublicKey(publicKeyAt(externalChain(xpub), index))
}

/** Whether {@link depositAddress} takes it. */
export function isAccountXpub(text: string): boolean {
  try {
    depositAddress(text, 0)
    return true
  } catch {
    return false
  }
}

/**
 * The 32-byte private key at m/44'/195'/account'/0/index: deposit address `index` for account 0.
 * @throws on an invalid mnemonic or a bad index
 */
export function accountPrivateKey(mnemonic: string, account: number, index: number): Uint8Array {
  checkIndex(index)
  return privateBelow(accountKey(mnemonic, account), index)
}

/** Twenty-four new words (256 bits) that every key of an installation derives from. */
export function newMnemonic(): string {
  return generateMnemonic(wordlist, 256)
}

/**
 * The extended *private* key of m/44'/195'/0': it spends from every deposit address, and from nothing else.
 * @throws when the mnemonic is not valid
 */
export function depositAccountKey(mnemonic: string): string {
  return accountKey(mnemonic, 0).privateExtendedKey
}

/** What {@link accountXpub} gives, from {@link depositAccountKey}. @throws for anything but such a key */
export function depositXpub(key: string): string {
  return privateAccount(key).publicExtendedKey
}

/** The private key of deposit address `index`, from {@link depositAccountKey}. @throws for anything but such a key, or a bad index */
export function depositPrivateKeyOf(key: string, index: number): Uint8Array {
  checkIndex(index)
  return privateBelow(privateAccount(key), index)
}

function privateAccount(key: string): HDKey {
  const account = HDKey.fromExtendedKey(key)
  if (account.privateKey === null || account.depth !== ACCOUNT_DEPTH) {
    throw new RangeError("the private key of an account (m/44'/195'/0') is needed")
  }
  return account
}

function privateBelow(account: HDKey, index: number): Uint8Array {
  const key = account.deriveChild(0).deriveChild(index).privateKey
  if (key === null) throw new Error('a private parent derived no private child')
  return key
}

function accountKey(mnemonic: string, account: number): HDKey {
  checkIndex(account)
  if (!validateMnemonic(mnemonic, wordlist)) throw new RangeError('the mnemonic is not valid BIP39 English')
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(`m/44'/195'/${account}'`)
}

/** What the last xpub led to: an installation has one, and to decode it takes as long as to derive an address. */
let derived: { readonly xpub: string; readonly chain: HDKey } | null = null

function externalChain(xpub: string): HDKey {
  if (derived?.xpub === xpub) return derived.chain
  // Refused by its text, before it is decoded, so that no private key is ever held by the deposit side.
  if (!xpub.startsWith('xpub')) throw new RangeError('an account xpub is needed, never a private key')
  const account = HDKey.fromExtendedKey(xpub)
  if (account.depth !== ACCOUNT_DEPTH) {
    throw new RangeError(`the xpub is at depth ${account.depth}, an account's is ${ACCOUNT_DEPTH}`)
  }
  derived = { xpub, chain: account.deriveChild(0) }
  return derived.chain
}

function publicKeyAt(chain: HDKey, index: number): Uint8Array {
  checkIndex(index)
  const key = chain.deriveChild(index).publicKey
  if (key === null) throw new Error('a public parent derived no public child')
  return key
}

function checkIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
    throw new RangeError('a key index is a whole number from 0 to 2147483647')
  }
}
