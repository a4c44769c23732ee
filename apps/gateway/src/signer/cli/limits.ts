/** The limits of a key file: how much may leave, how many operators it and each decision takes, and what codes may approve. */
import { formatMicro, micro } from '@aval/money'
import type { Policy } from '../policy.rules.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

const MILLION = 1_000_000n

/** As they are given: whole USDT. */
export interface GivenLimits {
  readonly perDay?: string | undefined
  readonly perHour?: string | undefined
  readonly perMember?: string | undefined
  readonly newWallet?: string | undefined
  readonly codesEach?: string | undefined
  readonly codesDay?: string | undefined
  /** "0:1,1000:2": one operator, and two from 1,000 USDT of a member in a day. */
  readonly needed?: string | undefined
  /** "run:1,plan:2,member_key:2": how many operators a decision of each kind needs. */
  readonly decisions?: string | undefined
  /** "yes" or "no": whether codes approve decisions. */
  readonly codesDecide?: string | undefined
}

/** Changes what is given, and shows all of them. */
export async function changeLimits(context: CommandContext, file: string, given: GivenLimits): Promise<void> {
  const changes = Object.values(given).some((value) => value !== undefined)
  const policy = changes
    ? await context.policies.change(file, (before) => withLimits(before, given))
    : (await context.policies.read(file)).policy
  showLimits(context, policy)
}

function withLimits(policy: Policy, given: GivenLimits): Policy {
  const { limits, codes } = policy
  return {
    ...policy,
    limits: {
      perDay: usdt(given.perDay, limits.perDay),
      perHour: usdt(given.perHour, limits.perHour),
      perMemberDay: usdt(given.perMember, limits.perMemberDay),
      newWallet: usdt(given.newWallet, limits.newWallet),
    },
    codes: { each: usdt(given.codesEach, codes.each), perDay: usdt(given.codesDay, codes.perDay) },
    needed: given.needed === undefined ? policy.needed : stepsOf(given.needed),
    decisions: withDecisions(policy.decisions, given),
  }
}

function usdt(text: string | undefined, before: bigint): bigint {
  if (text === undefined) return before
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new CommandRefusal(`${text} is no whole number of USDT`)
  return BigInt(text) * MILLION
}

function stepsOf(text: string): Policy['needed'] {
  return text.split(',').map((step) => {
    const [, from = '', operators = ''] = /^(\d{1,9}):([1-5])$/.exec(step) ?? []
    if (from === '') throw new CommandRefusal(`${step} is no step: from which amount, and how many (1000:2)`)
    return { from: usdt(from, 0n), operators: Number.parseInt(operators, 10) }
  })
}

const DECISIONS = { run: 'run', plan: 'plan', member_key: 'memberKey' } as const

function withDecisions(
  before: Policy['decisions'],
  { decisions, codesDecide }: GivenLimits,
): Policy['decisions'] {
  const numbers = (decisions?.split(',') ?? []).map((each) => {
    const [, name = '', operators = ''] = /^(run|plan|member_key):([1-5])$/.exec(each) ?? []
    if (name === '')
      throw new CommandRefusal(`${each} is no decision: run, plan or member_key, and how many (plan:2)`)
    return [DECISIONS[name as keyof typeof DECISIONS], Number.parseInt(operators, 10)] as const
  })
  if (codesDecide !== undefined && !['yes', 'no'].includes(codesDecide))
    throw new CommandRefusal('codes decide: yes or no')
  const codes = codesDecide === undefined ? before.codes : codesDecide === 'yes'
  return { ...before, ...Object.fromEntries(numbers), codes }
}

function showLimits(
  { terminal }: CommandContext,
  { version, limits, codes, needed, decisions }: Policy,
): void {
  const shown = (amount: bigint) => `${formatMicro(micro(amount))} USDT`
  terminal.say(`version ${version}`)
  for (const { from, operators } of needed) terminal.say(`from ${shown(from)}   ${operators} operators`)
  terminal.say(`a day        ${shown(limits.perDay)}`)
  terminal.say(`an hour      ${shown(limits.perHour)}`)
  terminal.say(`a member     ${shown(limits.perMemberDay)} a day`)
  terminal.say(`a new wallet ${shown(limits.newWallet)}`)
  terminal.say(`codes        ${shown(codes.each)} each, ${shown(codes.perDay)} a day`)
  const { run, plan, memberKey } = decisions
  terminal.say(`decisions    run ${run}, plan ${plan}, member key ${memberKey} operators`)
  terminal.say('             what counts for a run counts for every act on money')
  terminal.say(`             by codes: ${decisions.codes ? 'yes, never a member key' : 'no'}`)
}
