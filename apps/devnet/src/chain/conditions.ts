/**
 * What ails the whole chain until it is taken back. Kept with the chain, so that a restart heals nothing: a
 * program that is killed while the chain stalls finds it stalled.
 */
import { z } from 'zod'
import { type EnergyTerms, HUNDRED, SUN_PER_ENERGY } from './fees.rules.ts'
import type { Store } from './store.ts'

const shape = z.object({
  /** No blocks are made. */
  stall: z.boolean().default(false),
  /** Blocks are made without transactions. */
  emptyBlocks: z.boolean().default(false),
  /** The number at which the solid block stands still. */
  solidStall: z.int().nullable().default(null),
  /** Sun per unit of energy, and since when, in milliseconds; null for the usual price. */
  energyPrice: z.object({ sun: z.int(), since: z.int() }).nullable().default(null),
  /** By how much every call takes more energy, in hundredths. */
  energyHundredths: z.int().default(100),
})

export type Conditions = Readonly<z.infer<typeof shape>>

const KEY = 'conditions'

export function readConditions(store: Store): Conditions {
  return shape.parse(JSON.parse(store.meta(KEY) ?? '{}'))
}

export function writeConditions(store: Store, conditions: Conditions): void {
  store.setMeta(KEY, JSON.stringify(conditions))
}

/** What energy costs under these conditions. */
export function energyTerms(conditions: Conditions): EnergyTerms {
  const { energyPrice, energyHundredths } = conditions
  return {
    price: energyPrice === null ? SUN_PER_ENERGY : BigInt(energyPrice.sun),
    hundredths: BigInt(energyHundredths),
  }
}

/** Those that are on, for people: by the names of the faults that switch them. */
export function ailments(conditions: Conditions): Record<string, unknown> {
  const { price, hundredths } = energyTerms(conditions)
  return {
    ...(conditions.stall ? { stall: true } : {}),
    ...(conditions.emptyBlocks ? { empty_blocks: true } : {}),
    ...(conditions.solidStall === null ? {} : { solid_stall: conditions.solidStall }),
    ...(price === SUN_PER_ENERGY && hundredths === HUNDRED
      ? {}
      : { energy: { price: Number(price), factor: conditions.energyHundredths / 100 } }),
  }
}
