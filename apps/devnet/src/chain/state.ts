/**
 * The state as the EVM sees it: layers of changes over the stored state. A checkpoint is a new layer, so that
 * a failed call only drops its layer.
 *
 * Keys: "a:" account, "c:" code, "s:" storage slot, "n:" bandwidth used, "m:" contract metadata.
 */
import { addressToHex, type TronAddress } from '@aval/tron'
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address } from '@ethereumjs/util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Changes, ReadKey } from './ledger.ts'

export class LayeredState implements StateManagerInterface {
  /** What a slot held before the running transaction: its own changes all lie above the bottom layer. */
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = storageKey(address, key)
      const before = this.layers[0]?.get(name)
      return hexToBytes((before === undefined ? this.base(name) : before) ?? '')
    },
    clear: (): void => {},
  }
  private layers: Map<string, string | null>[] = [new Map()]
  private base: ReadKey = () => null

  /** Starts over, on top of this stored state. */
  reset(base: ReadKey): void {
    this.base = base
    this.layers = [new Map()]
  }

  /** Everything that changed since the reset. */
  changes(): Changes {
    const [bottom] = this.layers
    if (bottom === undefined || this.layers.length !== 1) throw new Error('a checkpoint is still open')
    return bottom
  }

  get(key: string): string | null {
    for (let index = this.layers.length - 1; index >= 0; index -= 1) {
      const value = this.layers[index]?.get(key)
      if (value !== undefined) return value
    }
    return this.base(key)
  }

  set(key: string, value: string | null): void {
    this.layers.at(-1)?.set(key, value)
  }

  /** How many checkpoints are open; {@link unwind} drops those above it. */
  depth(): number {
    return this.layers.length
  }

  unwind(depth: number): void {
    this.layers.length = depth
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    return readAccount(this.get(accountKey(address)))
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    this.set(accountKey(address), account === undefined ? null : writeAccount(account))
  }

  async deleteAccount(address: Address): Promise<void> {
    this.set(accountKey(address), null)
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account()
    await this.putAccount(address, Object.assign(account, fields))
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    this.set(`c:${hex(address)}`, bytesToHex(value))
    await this.modifyAccountFields(address, { codeHash: keccak_256(value) })
  }

  async getCode(address: Address): Promise<Uint8Array> {
    // Asked for by every call, and long.
    return Buffer.from(this.get(`c:${hex(address)}`) ?? '', 'hex')
  }

  async getCodeSize(address: Address): Promise<number> {
    return (this.get(`c:${hex(address)}`) ?? '').length / 2
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return hexToBytes(this.get(storageKey(address, key)) ?? '')
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const isZero = value.every((byte) => byte === 0)
    this.set(storageKey(address, key), isZero ? null : bytesToHex(value))
  }

  async clearStorage(): Promise<void> {
    // Asked for when a contract is created; here addresses come from hashes of transactions, so the place
    // is always empty.
  }

  async checkpoint(): Promise<void> {
    this.layers.push(new Map())
  }

  async commit(): Promise<void> {
    const top = this.layers.pop()
    const below = this.layers.at(-1)
    if (top === undefined || below === undefined) throw new Error('no checkpoint to commit')
    for (const [key, value] of top) below.set(key, value)
  }

  async revert(): Promise<void> {
    if (this.layers.length < 2) throw new Error('no checkpoint to revert')
    this.layers.pop()
  }

  clearCaches(): void {}

  // Tron has no state root in its blocks, and nothing here asks for one.
  readonly getStateRoot = noRoot
  readonly setStateRoot = noRoot
  readonly hasStateRoot = noRoot

  shallowCopy(): StateManagerInterface {
    throw new Error('the state is not copied')
  }
}

function noRoot(): never {
  throw new Error('the state has no root')
}

export function accountKeyOf(account: TronAddress): string {
  return `a:${addressToHex(account).slice(2)}`
}

/** Reads a stored account: "nonce balance codeHash". */
export function readAccount(value: string | null): Account | undefined {
  if (value === null) return undefined
  const [nonce, balance, codeHash] = value.split(' ')
  return new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0), undefined, hexToBytes(codeHash ?? ''))
}

export function writeAccount(account: Account): string {
  return `${account.nonce} ${account.balance} ${bytesToHex(account.codeHash)}`
}

function hex(address: Address): string {
  return bytesToHex(address.bytes)
}

function accountKey(address: Address): string {
  return `a:${hex(address)}`
}

function storageKey(address: Address, key: Uint8Array): string {
  return `s:${hex(address)}:${bytesToHex(key)}`
}
