/** The faults of one node that are on, in the order in which they came. */

import type { Phantom } from './falsify.ts'
import type { FaultKind, FaultOf, NodeFault } from './faults.ts'
import type { Fork } from './fork.ts'

/** A fault that is on. */
export interface ActiveFault<T extends NodeFault = NodeFault> {
  readonly fault: T
  /** The other history of a fork. */
  readonly fork: Fork | null
  /** The transfer that a lie invented. */
  readonly phantom: Phantom | null
  /** For how many answers more; null means until it is ended. */
  left: number | null
}

export class FaultList {
  private active: ActiveFault[] = []

  add(fault: NodeFault, made: { readonly fork?: Fork; readonly phantom?: Phantom }): void {
    this.active.push({
      fault,
      fork: made.fork ?? null,
      phantom: made.phantom ?? null,
      left: fault.times ?? null,
    })
  }

  /** Ends all faults of a kind, or all. */
  end(kind?: FaultKind): void {
    this.active = kind === undefined ? [] : this.active.filter((each) => each.fault.kind !== kind)
  }

  /** Those of some kinds that are on. */
  on<K extends FaultKind>(...kinds: K[]): ActiveFault<FaultOf<K>>[] {
    const wanted: readonly FaultKind[] = kinds
    return this.active.filter((each): each is ActiveFault<FaultOf<K>> => wanted.includes(each.fault.kind))
  }

  /** Uses up one answer of each. */
  spend(faults: Iterable<ActiveFault>): void {
    for (const each of faults) if (each.left !== null) each.left -= 1
    this.active = this.active.filter((each) => each.left === null || each.left > 0)
  }

  list(): readonly ActiveFault[] {
    return this.active
  }
}
