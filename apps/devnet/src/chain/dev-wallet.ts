/** The development wallets: builds, signs and submits transactions with the keys that everybody knows. */
import {
  blockReference,
  type ContractCall,
  DEVNET,
  type DevnetRole,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeRaw,
  encodeTransferCall,
  encodeUintWord,
  type RawTransaction,
  signTransaction,
  type TronAddress,
} from '@aval/tron'
import { z } from 'zod'
import type { Chain } from './chain.ts'
import { HUNDRED } from './fees.rules.ts'
import type { Sight } from './sight.ts'
import type { Refusal } from './submit.rules.ts'
import { tokenCall } from './token.ts'

/** Something asked of the development wallets that the chain refuses. */
export class DevRefusal extends Error {
  override readonly name = 'DevRefusal'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** A key that was used before, for another payment. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused'
}

const paymentRow = z.object({ request: z.string(), txid: z.string() })

type Unowned<T> = T extends ContractCall ? Omit<T, 'owner'> : never

interface SendOptions {
  readonly feeLimit?: bigint
  /** Stores something in the same instant. */
  readonly also?: (txid: string) => void
}

/** A thousand TRX at the usual price of energy; these wallets pay whatever it takes when energy gets dear. */
const FEE_LIMIT_ENERGY = 10_000_000n
const LIFETIME_MS = 600_000
const ENERGY = 10_000_000n

/** What the demo wallet is topped up to hold beyond a payment: a million USDT. */
const RESERVE = 1_000_000n * 1_000_000n

/** A transaction built on what a node sees, as it builds one when asked to; `now` in milliseconds. */
export function buildTransaction(
  { head, solid }: Pick<Sight, 'head' | 'solid'>,
  now: number,
  contract: ContractCall,
  extra: Partial<Pick<RawTransaction, 'feeLimit' | 'memo' | 'permissionId' | 'expiration'>> = {},
): RawTransaction {
  return {
    ...blockReference(solid.id),
    expiration: head.timestamp + 60_000,
    timestamp: now,
    feeLimit: 0n,
    memo: '',
    contract,
    permissionId: 0,
    ...extra,
  }
}

export class DevWallet {
  readonly chain: Chain
  private lastTimestamp = 0

  constructor(chain: Chain) {
    this.chain = chain
  }

  /**
   * Sends a transaction from a role's wallet.
   * @returns its id; it is in a block only after the next one is made
   * @throws DevRefusal when the chain does not take it
   */
  async send(role: DevnetRole, contract: Unowned<ContractCall>, options: SendOptions = {}): Promise<string> {
    // Two equal payments in one millisecond would be one transaction, so no timestamp is used twice.
    this.lastTimestamp = Math.max(this.chain.now(), this.lastTimestamp + 1)
    const owned: ContractCall = { ...contract, owner: devnetAddress(role) }
    const sight = this.chain.sight()
    const transaction = buildTransaction(sight, this.lastTimestamp, owned, {
      feeLimit: contract.type === 'TransferContract' ? 0n : (options.feeLimit ?? this.feeLimit()),
      expiration: sight.head.timestamp + LIFETIME_MS,
    })
    const signed = signTransaction(encodeRaw(transaction), devnetKey(role))
    const handed = { raw: signed.raw, signatures: [signed.signature] }
    const also = (): void => options.also?.(signed.txid)
    const refusal = await this.chain.submit(handed, { also, isOurs: true })
    if (refusal !== null) throw new DevRefusal(refusal)
    return signed.txid
  }

  /** Calls the USDT contract (or another token) with this data. */
  async callToken(
    role: DevnetRole,
    data: string,
    options: SendOptions & { readonly token?: TronAddress } = {},
  ): Promise<string> {
    const contract = options.token ?? DEVNET.usdt
    return this.send(role, { type: 'TriggerSmartContract', contract, callValue: 0n, data }, options)
  }

  /**
   * Pays USDT, `amount` in micro-USDT. With a `key`, once: asked again, the first payment's id is returned.
   * @throws DevRefusal; KeyReused when the key was used for another payment
   */
  async pay(role: DevnetRole, to: TronAddress, amount: bigint, key?: string): Promise<string> {
    const request = `${role} ${to} ${amount}`
    if (key !== undefined) {
      const known = this.payment(key, request)
      if (known !== null) return known
    }
    if (role === 'demoWallet') await this.topUp(amount)
    const { store } = this.chain.ledger
    const remember = (txid: string): void => {
      if (key !== undefined) store.run('insert into payments values (?, ?, ?)', key, request, txid)
    }
    try {
      return await this.callToken(role, encodeTransferCall(to, amount), { also: remember })
    } catch (error) {
      // Two clicks at once: the second finds the key taken when it comes to be stored.
      const known = key === undefined ? null : this.payment(key, request)
      if (known !== null) return known
      throw error
    }
  }

  /** USDT of an address on the newest block, in micro-USDT. */
  async usdtOf(address: TronAddress, token: TronAddress = DEVNET.usdt): Promise<bigint> {
    const outcome = await this.chain.call('head', {
      from: address,
      to: token,
      value: 0n,
      data: tokenCall('balanceOf(address)', [encodeAddressWord(address)]),
      energyLimit: ENERGY,
    })
    return outcome.output === '' ? 0n : BigInt(`0x${outcome.output}`)
  }

  private feeLimit(): bigint {
    const { price, hundredths } = this.chain.energy
    return (FEE_LIMIT_ENERGY * price * hundredths) / HUNDRED
  }

  private async topUp(amount: bigint): Promise<void> {
    const wallet = devnetAddress('demoWallet')
    if ((await this.usdtOf(wallet)) >= amount + RESERVE) return
    const words = [encodeAddressWord(wallet), encodeUintWord(amount + RESERVE)]
    await this.callToken('tokenOwner', tokenCall('mint(address,uint256)', words))
  }

  private payment(key: string, request: string): string | null {
    const sql = 'select request, txid from payments where key = ?'
    const row = this.chain.ledger.store.one(paymentRow, sql, key)
    if (row === null) return null
    if (row.request !== request) throw new KeyReused('this key was used for another payment')
    return row.txid
  }
}
