/** What a lying node sees: the same blocks, with transactions retold, gone or invented, and false balances. */
import { encodeUintWord } from '@aval/tron'
import { Account } from '@ethereumjs/util'
import type { BlockHead } from '../chain/block.rules.ts'
import type { StoredTransaction } from '../chain/ledger.ts'
import type { Sight } from '../chain/sight.ts'
import { accountKeyOf, type ReadKey, readAccount, writeAccount } from '../chain/state.ts'
import { balanceKey } from '../chain/token.ts'
import type { ActiveFault } from './fault-list.ts'
import type { Lie } from './faults.ts'
import { asFailure, asSuccess, isAbout, tellPhantom } from './forge.ts'

/** A lie that is on. */
export type Told = ActiveFault<Lie>

export class LyingSight implements Sight {
  readonly head: BlockHead
  readonly solid: BlockHead
  /** The lies that what was asked so far was answered with. */
  readonly used = new Set<Told>()
  private readonly base: Sight
  private readonly lies: readonly Told[]

  constructor(base: Sight, lies: readonly Told[]) {
    this.base = base
    this.lies = lies
    this.head = base.head
    this.solid = base.solid
  }

  block(number: number): BlockHead | null {
    return this.base.block(number)
  }

  transactionsOf(number: number): readonly StoredTransaction[] {
    const told = this.base.transactionsOf(number).flatMap((each) => this.tell(each) ?? [])
    const block = this.base.block(number)
    if (block === null) return told
    for (const lie of this.lies) {
      const { phantom } = lie
      if (phantom?.block !== number) continue
      this.used.add(lie)
      told.push(tellPhantom(phantom, block, told.length))
    }
    return told
  }

  transaction(txid: string): StoredTransaction | null {
    const transaction = this.base.transaction(txid)
    if (transaction !== null) return this.tell(transaction)
    const phantom = this.lies.find((lie) => lie.phantom?.txid === txid)?.phantom
    if (phantom === undefined || phantom === null) return null
    return this.transactionsOf(phantom.block).find((each) => each.txid === txid) ?? null
  }

  stateAfter(number: number): ReadKey {
    const read = this.base.stateAfter(number)
    const falsified = new Map(this.lies.flatMap((lie) => falseKey(lie)))
    return (key) => {
      const lie = falsified.get(key)
      if (lie === undefined) return read(key)
      this.used.add(lie)
      return falseValue(lie.fault, read(key))
    }
  }

  private tell(transaction: StoredTransaction): StoredTransaction | null {
    let told = transaction
    for (const lie of this.lies) {
      const { fault } = lie
      if (fault.about === 'balance' || fault.about === 'phantom' || !isAbout(transaction, fault)) continue
      if (fault.about === 'hidden') {
        this.used.add(lie)
        return null
      }
      const before = told
      told = fault.about === 'receipt_success' ? asSuccess(told) : asFailure(told)
      if (told !== before) this.used.add(lie)
    }
    return told
  }
}

function falseKey(lie: Told): [string, Told][] {
  const { fault } = lie
  if (fault.about !== 'balance') return []
  return [[fault.asset === 'usdt' ? balanceKey(fault.address) : accountKeyOf(fault.address), lie]]
}

function falseValue(fault: Lie, stored: string | null): string | null {
  if (fault.about !== 'balance') return stored
  if (fault.asset === 'usdt') return fault.value === 0n ? null : encodeUintWord(fault.value)
  const account = readAccount(stored) ?? new Account()
  account.balance = fault.value
  return writeAccount(account)
}
