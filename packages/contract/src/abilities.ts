/** What an operator may do, by role. This table is the only place that says it: the server enforces it, the console is served it. */
import { z } from 'zod'

/**
 * `support` helps members, `treasurer` moves the company's money, `compliance` looks into members and stops what looks wrong, `admin`
 * does all of it and decides who works for the company.
 */
export const OPERATOR_ROLES = ['support', 'treasurer', 'compliance', 'admin'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

const EVERYBODY = OPERATOR_ROLES
const MONEY = ['treasurer', 'admin'] as const
const MEMBERS = ['support', 'compliance', 'admin'] as const
const CONTROL = ['compliance', 'admin'] as const

/** Which roles have an ability. `noun.verb`; `read` is to see, and changes nothing. */
export const ABILITIES = {
  /** What every operator needs to work at all: their own session, the search, what waits. */
  'console.use': EVERYBODY,
  'members.read': EVERYBODY,
  /** A list of members, or of theirs, as a file. */
  'members.export': ['treasurer', 'compliance', 'admin'],
  'members.note': EVERYBODY,
  /** Corrects e-mail or phone, sends mails again, ends sessions. */
  'members.help': MEMBERS,
  /** Sees the member's own pages, without acting there. */
  'members.impersonate': MEMBERS,
  /** Asks to release a second factor, or agrees to it: it takes two. */
  'members.release': MEMBERS,
  'members.freeze': CONTROL,
  'members.close': CONTROL,
  /** Makes a fundator, sets extra points. */
  'members.terms': ['admin'],
  'withdrawals.read': EVERYBODY,
  'withdrawals.refuse': ['treasurer', 'compliance', 'admin'],
  'deposits.read': EVERYBODY,
  /** Says what was found out about a deposit that needs a person. */
  'deposits.review': EVERYBODY,
  'investments.read': EVERYBODY,
  'investments.reverse': MONEY,
  'runs.read': EVERYBODY,
  /** Proposes to let a held run go, cancels one, declares a rate. */
  'runs.decide': MONEY,
  'treasury.read': ['treasurer', 'compliance', 'admin'],
  'treasury.fund': MONEY,
  /** Explains what the reserves check found. */
  'treasury.explain': ['treasurer', 'compliance', 'admin'],
  'payments.stop': ['treasurer', 'compliance', 'admin'],
  /** Lets payments go on after an operator stopped them. */
  'payments.resume': MONEY,
  'plan.read': EVERYBODY,
  'plan.propose': MONEY,
  'decisions.read': EVERYBODY,
  'decisions.withdraw': MONEY,
  'support.read': EVERYBODY,
  'support.answer': MEMBERS,
  'audit.read': CONTROL,
  'operators.read': EVERYBODY,
  'operators.manage': ['admin'],
} as const satisfies Readonly<Record<string, readonly OperatorRole[]>>

export type Ability = keyof typeof ABILITIES
export const ABILITY_NAMES = Object.keys(ABILITIES) as Ability[]

export function may(role: OperatorRole | null, ability: Ability): boolean {
  const roles: readonly OperatorRole[] = ABILITIES[ability]
  return role !== null && roles.includes(role)
}

/** GET operator/me/: who works here, and what the role allows. */
export const operatorSelf = z.object({
  username: z.string(),
  role: z.enum(OPERATOR_ROLES),
  abilities: z.array(z.enum(ABILITY_NAMES)),
})
export type OperatorSelf = z.infer<typeof operatorSelf>
