/** How an invoice can be paid, and at which of its deeds processes are killed. */
import {
  ASKED,
  BESIDE_EXPIRY,
  CANCELLED,
  COMPLETED,
  EXPIRED,
  type InvoiceMoment,
  LATE,
  PART,
  REST,
  SURPLUS,
} from './invoice-moments.ts'
import { ask, cancel, complete, type Deed, end, expire, type Invoices, pay } from './invoices.ts'

export interface Chapter {
  deed(invoices: Invoices): Deed | Promise<Deed>
  /** Where it is disturbed, each time in another telling; nowhere when it only leads to the next. */
  readonly moments?: readonly InvoiceMoment[]
}

/** What it comes to in the end, in USDT. */
export interface Outcome {
  readonly principal: string
  readonly balance: string
  /** Of its invoices, oldest first. */
  readonly states: readonly string[]
  /** Of its transfers, in the chain's order. */
  readonly credits: readonly string[]
}

export interface Story extends Outcome {
  readonly name: string
  readonly chapters: readonly Chapter[]
}

const asks = (amount: number, moments?: readonly InvoiceMoment[]): Chapter => ({
  deed: (invoices) => ask(invoices, amount),
  ...(moments && { moments }),
})
const pays = (amounts: string | readonly string[], moments?: readonly InvoiceMoment[]): Chapter => ({
  deed: (invoices) => pay(invoices, [amounts].flat()),
  ...(moments && { moments }),
})

/** 700 USDT take 703.50. */
export const STORIES: readonly Story[] = [
  {
    name: 'paid in two parts',
    chapters: [asks(700, ASKED), pays('300', PART), pays('403.5', REST)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'two parts in one transaction',
    chapters: [asks(700), pays(['300', '403.5'], REST)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'too much',
    chapters: [asks(700), pays('300'), pays('499.5', SURPLUS)],
    principal: '700.00',
    balance: '96.00',
    states: ['paid'],
    credits: ['part', 'overpaid'],
  },
  {
    // 683.40 pay 3.40 of the fee and 680, the balance the other 20: it has enough for every telling.
    name: 'a part, completed with the balance',
    chapters: [asks(700), pays('683.4'), { deed: complete, moments: COMPLETED }],
    principal: '700.00',
    balance: '-20.00',
    states: ['paid'],
    credits: ['part'],
  },
  {
    name: 'a part, then cancelled',
    chapters: [asks(700), pays('300'), { deed: cancel, moments: CANCELLED }],
    principal: '0.00',
    balance: '300.00',
    states: ['cancelled'],
    credits: ['part'],
  },
  {
    name: 'a part, then expired',
    chapters: [asks(700), pays('300'), { deed: expire, moments: EXPIRED }],
    principal: '0.00',
    balance: '300.00',
    states: ['expired'],
    credits: ['part'],
  },
  {
    name: 'the rest in the last instant',
    chapters: [asks(700), pays('300'), pays('403.5', BESIDE_EXPIRY)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'the rest too late',
    chapters: [
      asks(700),
      pays('300'),
      {
        async deed(invoices) {
          await end(invoices)
          return pay(invoices, ['403.5'])
        },
        moments: LATE,
      },
    ],
    principal: '0.00',
    balance: '703.50',
    states: ['expired'],
    credits: ['part', 'late'],
  },
  {
    name: 'two invoices open, the oldest first',
    chapters: [asks(700), asks(500), pays('300'), pays('503.5', SURPLUS), pays('502.5')],
    principal: '1200.00',
    balance: '100.00',
    states: ['paid', 'paid'],
    credits: ['part', 'overpaid', 'paid'],
  },
]
