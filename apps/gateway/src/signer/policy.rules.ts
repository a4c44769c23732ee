/**
 * Who approves, how many are needed, and how much may leave: pinned in the key file by a command on the signer's machine, so that
 * no server can change it.
 */
import { z } from 'zod'

const MILLION = 1_000_000n
const THOUSAND = 1_000n * MILLION

const micro = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})$/)
  .transform(BigInt)
const base64url = (longest: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`))

const operators = z.int().min(1).max(5)

const passkeySchema = z.strictObject({
  credentialId: base64url(1_400),
  publicKey: base64url(1_000),
  algorithm: z.union([z.literal(-7), z.literal(-257), z.literal(-8)]),
  addedAt: z.iso.datetime(),
})

const approverSchema = z.strictObject({
  memberId: z
    .string()
    .regex(/^[1-9]\d{0,18}$/)
    .transform(BigInt),
  name: z.string().min(1).max(80),
  passkeys: z.array(passkeySchema).max(20),
  /** Base32. Made by the command, and known to it and to the authenticator app alone. */
  codeSecret: z
    .string()
    .regex(/^[A-Z2-7]{32,64}$/)
    .optional(),
})
export type Approver = z.output<typeof approverSchema>

const limitsSchema = z.strictObject({
  perDay: micro,
  perHour: micro,
  perMemberDay: micro,
  /** To a wallet, until a day after its first payment. */
  newWallet: micro,
})
export type PolicyLimits = z.output<typeof limitsSchema>

/** What the signer itself asks of the chain: nodes, and how many of them must say the same. */
const chainSchema = z.strictObject({
  nodes: z
    .array(
      z.strictObject({
        url: z.url({ protocol: /^https?$/, error: 'a node is an http(s):// address' }).max(300),
        /** What its provider knows us by: secret. */
        headers: z.record(
          z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,60}$/),
          z.string().regex(/^[\x21-\x7e]{1,500}$/),
        ),
      }),
    )
    .min(1)
    .max(9),
  quorum: z.int().min(1).max(9),
})
export type OwnChain = z.output<typeof chainSchema>

export const policySchema = z.strictObject({
  /** Counts changes: an older file than the journal has seen is not used. */
  version: z.int().min(0),
  /** Of the page of approvals, as browsers write it. */
  origin: z.string().max(300),
  rpId: z.string().max(253),
  /** Of the members' app. '' in a file of before: no key of a member is sealed. */
  membersOrigin: z.string().max(300).default(''),
  membersRpId: z.string().max(253).default(''),
  /** How long a key that operators sealed in the place of a lost one moves nothing. */
  memberKeyCoolingHours: z.int().min(0).max(720).default(72),
  approvers: z.array(approverSchema).max(100),
  needed: z
    .array(z.strictObject({ from: micro, operators }))
    .min(1)
    .max(10)
    .refine(([first]) => first?.from === 0n, 'the first step is from 0')
    .refine(
      (steps) => steps.every(({ from }, at) => at === 0 || from > (steps[at - 1]?.from ?? 0n)),
      'steps rise',
    ),
  limits: limitsSchema,
  /** What codes may approve, a withdrawal and a day: they prove presence, and say nothing of what is approved. */
  codes: z.strictObject({ each: micro, perDay: micro }),
  /**
   * How many operators it takes for an act on money (`run`: releasing a held run, funding a pool and the like), to replace the plan, to give
   * a member another key; and whether codes count.
   */
  decisions: z.strictObject({ run: operators, plan: operators, memberKey: operators, codes: z.boolean() }),
  /** Missing in a file of before: no second transfer of a withdrawal is signed then. */
  chain: chainSchema.optional(),
})
export type Policy = z.output<typeof policySchema>

/** The policy of a new key file, which approves nothing yet. */
export function newPolicy(network: string): Policy {
  const isDevnet = network === 'devnet'
  const most = 999_999_999n * MILLION
  return {
    version: 0,
    origin: '',
    rpId: '',
    membersOrigin: '',
    membersRpId: '',
    memberKeyCoolingHours: isDevnet ? 0 : 72,
    approvers: [],
    needed: [
      { from: 0n, operators: 1 },
      { from: THOUSAND, operators: 2 },
    ],
    limits: isDevnet
      ? { perDay: most, perHour: most, perMemberDay: most, newWallet: most }
      : {
          perDay: 20n * THOUSAND,
          perHour: 10n * THOUSAND,
          perMemberDay: 10n * THOUSAND,
          newWallet: 5n * THOUSAND,
        },
    codes: isDevnet ? { each: most, perDay: most } : { each: 0n, perDay: 0n },
    decisions: isDevnet
      ? { run: 1, plan: 1, memberKey: 1, codes: true }
      : { run: 1, plan: 2, memberKey: 2, codes: false },
  }
}

/** As JSON, the same text for the same policy. */
export function writtenPolicy(policy: Policy): z.input<typeof policySchema> {
  const { version, origin, rpId, membersOrigin, membersRpId, memberKeyCoolingHours } = policy
  const { approvers, needed, limits, codes, decisions, chain } = policy
  return {
    version,
    origin,
    rpId,
    membersOrigin,
    membersRpId,
    memberKeyCoolingHours,
    approvers: approvers.map(({ memberId, name, passkeys, codeSecret }) => ({
      memberId: String(memberId),
      name,
      passkeys: passkeys.map(({ credentialId, publicKey, algorithm, addedAt }) => ({
        credentialId,
        publicKey,
        algorithm,
        addedAt,
      })),
      ...(codeSecret !== undefined && { codeSecret }),
    })),
    needed: needed.map(({ from, operators }) => ({ from: String(from), operators })),
    limits: {
      perDay: String(limits.perDay),
      perHour: String(limits.perHour),
      perMemberDay: String(limits.perMemberDay),
      newWallet: String(limits.newWallet),
    },
    codes: { each: String(codes.each), perDay: String(codes.perDay) },
    decisions: {
      run: decisions.run,
      plan: decisions.plan,
      memberKey: decisions.memberKey,
      codes: decisions.codes,
    },
    // Not written where there is none: the journal knows files of before by a hash over this.
    ...(chain !== undefined && {
      chain: { nodes: chain.nodes.map(({ url, headers }) => ({ url, headers })), quorum: chain.quorum },
    }),
  }
}

/** How many operators an amount needs, in micro-USDT; a withdrawal counts with its member's others of 24 hours. */
export function operatorsNeeded({ needed }: Pick<Policy, 'needed'>, amount: bigint): number {
  return needed.findLast(({ from }) => amount >= from)?.operators ?? 1
}

/** An approver by number, and whether this is still how they approve. `key` is a credential's id, or `code`. */
export function approverWith(policy: Policy, memberId: bigint, key: string): Approver | null {
  const approver = policy.approvers.find((each) => each.memberId === memberId)
  if (approver === undefined) return null
  const isPinned =
    key === 'code'
      ? approver.codeSecret !== undefined
      : approver.passkeys.some(({ credentialId }) => credentialId === key)
  return isPinned ? approver : null
}
