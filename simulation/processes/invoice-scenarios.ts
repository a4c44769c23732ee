/** How an invoice can be paid, and at which of its actions processes are killed. */
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
import { type Action, ask, cancel, complete, end, expire, type Invoices, pay } from './invoices.ts'

export interface Stage {
  action(invoices: Invoices): Action | Promise<Action>
  /** Where it is disturbed, each time in another run; nowhere when it only leads to the next. */
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

export interface Scenario extends Outcome {
  readonly name: string
  readonly stages: readonly Stage[]
}

const asks = (amount: number, moments?: readonly InvoiceMoment[]): Stage => ({
  action: (invoices) => ask(invoices, amount),
  ...(moments && { moments }),
})
const pays = (amounts: string | readonly string[], moments?: readonly InvoiceMoment[]): Stage => ({
  action: (invoices) => pay(invoices, [amounts].flat()),
  ...(moments && { moments }),
})

/** 700 USDT take 703.50. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'paid in two parts',
    stages: [asks(700, ASKED), pays('300', PART), pays('403.5', REST)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'two parts in one transaction',
    stages: [asks(700), pays(['300', '403.5'], REST)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'too much',
    stages: [asks(700), pays('300'), pays('499.5', SURPLUS)],
    principal: '700.00',
    balance: '96.00',
    states: ['paid'],
    credits: ['part', 'overpaid'],
  },
  {
    // 683.40 pay 3.40 of the fee and 680, the balance the other 20: it has enough for every run.
    name: 'a part, completed with the balance',
    stages: [asks(700), pays('683.4'), { action: complete, moments: COMPLETED }],
    principal: '700.00',
    balance: '-20.00',
    states: ['paid'],
    credits: ['part'],
  },
  {
    name: 'a part, then cancelled',
    stages: [asks(700), pays('300'), { action: cancel, moments: CANCELLED }],
    principal: '0.00',
    balance: '300.00',
    states: ['cancelled'],
    credits: ['part'],
  },
  {
    name: 'a part, then expired',
    stages: [asks(700), pays('300'), { action: expire, moments: EXPIRED }],
    principal: '0.00',
    balance: '300.00',
    states: ['expired'],
    credits: ['part'],
  },
  {
    name: 'the rest in the last instant',
    stages: [asks(700), pays('300'), pays('403.5', BESIDE_EXPIRY)],
    principal: '700.00',
    balance: '0.00',
    states: ['paid'],
    credits: ['part', 'paid'],
  },
  {
    name: 'the rest too late',
    stages: [
      asks(700),
      pays('300'),
      {
        async action(invoices) {
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
    stages: [asks(700), asks(500), pays('300'), pays('503.5', SURPLUS), pays('502.5')],
    principal: '1200.00',
    balance: '100.00',
    states: ['paid', 'paid'],
    credits: ['part', 'overpaid', 'paid'],
  },
]
