/** The view of a node with wrong answers: the same blocks, with transactions changed, hidden or invented, and false balances. */
import { encodeUintWord } from '@aval/tron'
import { Account } from '@ethereumjs/util'
import type { StoredTransaction } from '../chain/ledger.ts'
import type { Sight } from '../chain/sight.ts'
import { accountKeyOf, readAccount, writeAccount } from '../chain/state.ts'
import { balanceKey } from '../chain/token.ts'
import { asFailure, asSuccess, isAbout, phantomInBlock } from './falsify.ts'
import type { ActiveFault, Lie } from './faults.ts'

export type ActiveLie = ActiveFault<Lie>

/** @param used gets each lie that changes an answer */
export function lyingSight(base: Sight, lies: readonly ActiveLie[], used: Set<ActiveLie>): Sight {
  const falsify = (transaction: StoredTransaction): StoredTransaction | null => {
    let shown = transaction
    for (const lie of lies) {
      const { fault } = lie
      if (fault.about === 'balance' || fault.about === 'phantom' || !isAbout(transaction, fault)) continue
      if (fault.about === 'hidden') {
        used.add(lie)
        return null
      }
      const before = shown
      shown = fault.about === 'receipt_success' ? asSuccess(shown) : asFailure(shown)
      if (shown !== before) used.add(lie)
    }
    return shown
  }
  const transactionsOf = (number: number): readonly StoredTransaction[] => {
    const shown = base.transactionsOf(number).flatMap((each) => falsify(each) ?? [])
    const block = base.block(number)
    if (block === null) return shown
    for (const lie of lies) {
      const { phantom } = lie
      if (phantom?.block !== number) continue
      used.add(lie)
      shown.push(phantomInBlock(phantom, block, shown.length))
    }
    return shown
  }
  return {
    ...base,
    transactionsOf,
    transaction(txid) {
      const transaction = base.transaction(txid)
      if (transaction !== null) return falsify(transaction)
      const phantom = lies.find((lie) => lie.phantom?.txid === txid)?.phantom
      if (phantom === undefined || phantom === null) return null
      return transactionsOf(phantom.block).find((each) => each.txid === txid) ?? null
    },
    stateAfter(number) {
      const read = base.stateAfter(number)
      const falsified = new Map(lies.flatMap((lie) => falseKey(lie)))
      return (key) => {
        const lie = falsified.get(key)
        if (lie === undefined) return read(key)
        used.add(lie)
        return falseValue(lie.fault, read(key))
      }
    },
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
