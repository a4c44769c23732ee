/** The view of a node with wrong answers: the same blocks, with transactions changed, hidden or invented, and false balances. */
import { encodeUintWord } from '@aval/tron'
import { Account } from '@ethereumjs/util'
import type { BlockHead } from '../chain/block.rules.ts'
import type { ReadKey, StoredTransaction } from '../chain/ledger.ts'
import type { Sight } from '../chain/sight.ts'
import { accountKeyOf, readAccount, writeAccount } from '../chain/state.ts'
import { balanceKey } from '../chain/token.ts'
import { asFailure, asSuccess, isAbout, phantomInBlock } from './falsify.ts'
import type { ActiveFault, Lie } from './faults.ts'

export type ActiveLie = ActiveFault<Lie>

export class LyingSight implements Sight {
  readonly head: BlockHead
  readonly solid: BlockHead
  /** The lies that changed an answer so far. */
  readonly used = new Set<ActiveLie>()
  private readonly base: Sight
  private readonly lies: readonly ActiveLie[]

  constructor(base: Sight, lies: readonly ActiveLie[]) {
    this.base = base
    this.lies = lies
    this.head = base.head
    this.solid = base.solid
  }

  block(number: number): BlockHead | null {
    return this.base.block(number)
  }

  transactionsOf(number: number): readonly StoredTransaction[] {
    const shown = this.base.transactionsOf(number).flatMap((each) => this.falsify(each) ?? [])
    const block = this.base.block(number)
    if (block === null) return shown
    for (const lie of this.lies) {
      const { phantom } = lie
      if (phantom?.block !== number) continue
      this.used.add(lie)
      shown.push(phantomInBlock(phantom, block, shown.length))
    }
    return shown
  }

  transaction(txid: string): StoredTransaction | null {
    const transaction = this.base.transaction(txid)
    if (transaction !== null) return this.falsify(transaction)
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

  private falsify(transaction: StoredTransaction): StoredTransaction | null {
    let shown = transaction
    for (const lie of this.lies) {
      const { fault } = lie
      if (fault.about === 'balance' || fault.about === 'phantom' || !isAbout(transaction, fault)) continue
      if (fault.about === 'hidden') {
        this.used.add(lie)
        return null
      }
      const before = shown
      shown = fault.about === 'receipt_success' ? asSuccess(shown) : asFailure(shown)
      if (shown !== before) this.used.add(lie)
    }
    return shown
  }
}

function falseKey(lie: ActiveLie): [string, ActiveLie][] {
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
