import type { Leg } from '../plot.ts'

/** What is written on cards, in the language of the page. */
export interface CardTexts {
  readonly noName: string
  readonly invite: string
  readonly vacant: (leg: Leg | null) => string
  /** Of that many that are not shown. */
  readonly more: (missing: number) => string
  readonly all: (missing: number) => string
  readonly amount: (amount: string) => string
  readonly count: (count: number) => string
}
