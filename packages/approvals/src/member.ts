/** What a member's passkey signs where only that passkey moves the member's money: the key itself, a withdrawal, a new wallet. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** What of a passkey is public, as it is pinned. */
export interface MemberKey {
  /** Base64url, as `publicKey` is: SPKI in DER. */
  readonly credentialId: string
  readonly publicKey: string
  /** As COSE numbers them: ES256, EdDSA, RS256. */
  readonly algorithm: -7 | -8 | -257
}

/** Who signs, until when, and once. */
interface Signing {
  readonly network: string
  readonly memberId: bigint
  /** System time, in milliseconds. */
  readonly expiresAt: number
  /** 64 hex digits, good once. */
  readonly nonce: string
}

export interface MemberKeyRequest extends Signing {
  /** Counts a member's changes, from 1. */
  readonly version: number
  /** `memberKeyHash` of the key that counts from now on; '' for none: switched off. */
  readonly keyHash: string
}

export interface MemberWithdrawalRequest extends Signing {
  /** Micro-USDT that leave the member's accounts, with the fee. */
  readonly amount: bigint
  readonly wallet: string
}

export interface MemberWalletRequest extends Signing {
  readonly wallet: string
}

/** How long what was signed may be handed in. */
export const MEMBER_PROOF_MS = 10 * 60_000
/** How long after that a withdrawal may be paid by it, or operators may seal a key that replaces a lost one. */
export const MEMBER_PROOF_KEPT_MS = 30 * 86_400_000

/** 64 hex digits that stand for one key. @throws RangeError when a part could be read as another */
export function memberKeyHash({ credentialId, algorithm, publicKey }: MemberKey): string {
  if (!/^[A-Za-z0-9_-]{1,1400}$/.test(credentialId) || !/^[A-Za-z0-9_-]{1,1000}$/.test(publicKey)) {
    throw new RangeError('a key is written in base64url')
  }
  if (![-7, -8, -257].includes(algorithm)) throw new RangeError('a key is of a known algorithm')
  return bytesToHex(hashOf('aval member key 1', credentialId, algorithm, publicKey))
}

/** The 32 bytes that change which key counts. @throws RangeError */
export function memberKeyChallenge({ version, keyHash, ...signing }: MemberKeyRequest): Uint8Array {
  if (!Number.isSafeInteger(version) || version < 1) throw new RangeError('a version is counted from 1')
  if (!/^([0-9a-f]{64})?$/.test(keyHash)) throw new RangeError('the hash of a key has 64 hex digits')
  return hashOf('aval member key change 1', ...partsOf(signing), version, keyHash)
}

/** The 32 bytes that allow one withdrawal. @throws RangeError */
export function memberWithdrawalChallenge({
  amount,
  wallet,
  ...signing
}: MemberWithdrawalRequest): Uint8Array {
  if (amount <= 0n || amount > MOST) throw new RangeError('a withdrawal has an amount')
  return hashOf('aval member withdrawal 1', ...partsOf(signing), amount, walletOf(wallet))
}

/** The 32 bytes that allow another wallet. @throws RangeError */
export function memberWalletChallenge({ wallet, ...signing }: MemberWalletRequest): Uint8Array {
  return hashOf('aval member wallet 1', ...partsOf(signing), walletOf(wallet))
}

/** The most that a column of the database holds. */
const MOST = 9_223_372_036_854_775_807n

function partsOf({ network, memberId, expiresAt, nonce }: Signing): (string | bigint | number)[] {
  if (!/^[a-z]{1,20}$/.test(network)) throw new RangeError('what is signed names its network')
  if (memberId <= 0n || memberId > MOST) throw new RangeError('what is signed names its member')
  if (!Number.isSafeInteger(expiresAt) || expiresAt <= 0) throw new RangeError('an expiry is a whole number')
  if (!/^[0-9a-f]{64}$/.test(nonce)) throw new RangeError('a nonce has 64 hex digits')
  return [network, memberId, expiresAt, nonce]
}

function walletOf(wallet: string): string {
  if (!/^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(wallet)) throw new RangeError('a wallet is an address')
  return wallet
}

/** A line a part, after a first line that no other purpose has. */
const hashOf = (...parts: readonly (string | bigint | number)[]): Uint8Array =>
  sha256(utf8ToBytes(parts.join('\n')))
