/** Pins in the key file who approves withdrawals, and by what. Run on the signer's machine, by the person who keeps the key file. */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { encodeBase32, stepOfCode } from '../approvals/totp.ts'
import { readPublicKey } from '../approvals/webauthn.ts'
import type { Approver, Policy } from '../policy.rules.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

const keyLine = z.strictObject({
  member: z.int().min(1),
  name: z.string().min(1).max(80),
  origin: z.string().max(300),
  credentialId: z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/),
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{1,1000}$/),
  algorithm: z.union([z.literal(-7), z.literal(-257), z.literal(-8)]),
})
type KeyLine = z.infer<typeof keyLine>
const PREFIX = 'avalkey1.'

/** As the page shows it. */
export function fingerprintOf(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex')
  return hash.slice(0, 20).replaceAll(/(.{4})(?=.)/g, '$1 ')
}

function readLine(line: string): KeyLine {
  try {
    if (!line.startsWith(PREFIX)) throw new Error('another beginning')
    const text = Buffer.from(line.slice(PREFIX.length), 'base64url').toString('utf8')
    const read = keyLine.parse(JSON.parse(text))
    if (readPublicKey(read) === null) throw new Error('no key')
    return read
  } catch {
    throw new CommandRefusal(
      'this is no line of the page of approvals: copy it whole, it begins with avalkey1.',
    )
  }
}

/** The relying party of a page: its host. @throws CommandRefusal where a browser makes no passkeys */
export function rpIdOf(origin: string, network: string): string {
  const url = URL.parse(origin)
  const isLocal = network === 'devnet' && url?.protocol === 'http:' && url.hostname === 'localhost'
  if (url === null || url.origin !== origin || !(url.protocol === 'https:' || isLocal)) {
    throw new CommandRefusal(`${origin} is no address of a page: https://, without a path`)
  }
  return url.hostname
}

export async function addPasskey(context: CommandContext, file: string, line: string): Promise<void> {
  const { terminal } = context
  const key = readLine(line.trim())
  const { policy, network } = await context.policies.read(file)
  const rpId = rpIdOf(key.origin, network)
  if (policy.origin !== '' && policy.origin !== key.origin) {
    throw new CommandRefusal(
      `this key is of ${key.origin}; approvals are made at ${policy.origin} (to move: approver origin ${file} --origin …)`,
    )
  }
  const owner = policy.approvers.find(({ passkeys }) =>
    passkeys.some(
      ({ credentialId, publicKey }) => credentialId === key.credentialId || publicKey === key.publicKey,
    ),
  )
  if (owner !== undefined) throw new CommandRefusal(`this key is pinned already, for ${owner.name}`)
  terminal.say(`member       ${key.member}\nname         ${key.name}\npage         ${key.origin}`)
  terminal.say(`fingerprint  ${fingerprintOf(key.publicKey)}`)
  terminal.say('Compare the fingerprint with the one on that person’s screen, and ask them who they are.')
  await confirm(context, 'Pin this key')
  const { credentialId, publicKey, algorithm } = key
  const passkey = { credentialId, publicKey, algorithm, addedAt: context.now().toISOString() }
  const memberId = BigInt(key.member)
  const changed = await context.policies.change(file, (before) =>
    withApprover({ ...before, origin: key.origin, rpId }, memberId, key.name, (approver) => ({
      ...approver,
      passkeys: [...approver.passkeys, passkey],
    })),
  )
  terminal.say(`${key.name} approves with this key from now on (version ${changed.version} of the policy)`)
}

/** With an approver changed, or a new one. */
function withApprover(
  policy: Policy,
  memberId: bigint,
  name: string,
  change: (approver: Approver) => Approver,
): Policy {
  const isNew = !policy.approvers.some((each) => each.memberId === memberId)
  const approvers = isNew ? [...policy.approvers, { memberId, name, passkeys: [] }] : policy.approvers
  return {
    ...policy,
    approvers: approvers.map((each) => (each.memberId === memberId ? change({ ...each, name }) : each)),
  }
}

export async function listApprovers(context: CommandContext, file: string): Promise<void> {
  const { policy } = await context.policies.read(file)
  const { terminal } = context
  terminal.say(`version ${policy.version}, approvals are made at ${policy.origin || 'no page yet'}`)
  for (const { memberId, name, passkeys, codeSecret } of policy.approvers) {
    terminal.say(`member ${memberId}   ${name}${codeSecret === undefined ? '' : '   with codes'}`)
    for (const { publicKey, addedAt } of passkeys)
      terminal.say(`  passkey ${fingerprintOf(publicKey)}   since ${addedAt.slice(0, 10)}`)
  }
  if (policy.approvers.length === 0) terminal.say('nobody approves: no withdrawal is signed')
}

export async function removeApprover(
  context: CommandContext,
  file: string,
  member: string,
  fingerprint: string | null,
): Promise<void> {
  const memberId = memberOf(member)
  const { policy } = await context.policies.read(file)
  const approver = policy.approvers.find((each) => each.memberId === memberId)
  if (approver === undefined) throw new CommandRefusal(`member ${member} approves nothing`)
  const wanted = fingerprint?.replaceAll(' ', '') ?? null
  const isWanted = (publicKey: string) => fingerprintOf(publicKey).replaceAll(' ', '') === wanted
  if (wanted !== null && !approver.passkeys.some(({ publicKey }) => isWanted(publicKey))) {
    throw new CommandRefusal(`${approver.name} has no key with this fingerprint`)
  }
  await confirm(
    context,
    wanted === null ? `Remove ${approver.name} whole` : `Remove this key of ${approver.name}`,
  )
  await context.policies.change(file, (before) =>
    wanted === null
      ? { ...before, approvers: before.approvers.filter((each) => each.memberId !== memberId) }
      : withApprover(before, memberId, approver.name, (each) => ({
          ...each,
          passkeys: each.passkeys.filter(({ publicKey }) => !isWanted(publicKey)),
        })),
  )
  context.terminal.say('what they approved and is not signed yet counts no more')
}

/** A secret for approving alone, shown once; it is not the one that the operator signs in with. */
export async function makeCode(
  context: CommandContext,
  file: string,
  member: string,
  name: string,
): Promise<void> {
  const memberId = memberOf(member)
  const { policy } = await context.policies.read(file)
  if (policy.codes.each === 0n && !policy.decisions.codes) {
    throw new CommandRefusal(
      'codes approve nothing by this key file: limits … --codes-each, --codes-day, --codes-decide',
    )
  }
  const secret = encodeBase32(randomBytes(20))
  const label = encodeURIComponent(`Aval approvals:${name}`)
  context.terminal.say('For an authenticator app, shown only once:')
  context.terminal.say(`otpauth://totp/${label}?secret=${secret}&issuer=Aval%20approvals`)
  const code = await context.terminal.ask('The code that the app shows now: ')
  if (stepOfCode(secret, code?.trim() ?? '', context.now().getTime(), 0) === null) {
    throw new CommandRefusal('this is not its code: nothing was changed')
  }
  await context.policies.change(file, (before) =>
    withApprover(before, memberId, name, (approver) => ({ ...approver, codeSecret: secret })),
  )
  context.terminal.say(`${name} approves with codes from now on`)
}

/** Another page: keys are of the page that they were made at, so all of them go. */
export async function moveOrigin(context: CommandContext, file: string, origin: string): Promise<void> {
  const { network } = await context.policies.read(file)
  const rpId = rpIdOf(origin, network)
  await confirm(context, `Approve at ${origin}, and remove every passkey`)
  await context.policies.change(file, (before) => ({
    ...before,
    origin,
    rpId,
    approvers: before.approvers.map((approver) => ({ ...approver, passkeys: [] })),
  }))
  context.terminal.say('each operator makes a new passkey there; add each with approver add')
}

/**
 * Codes that everybody can compute, so that a newcomer can try the product. On the development network alone.
 * @param membersOrigin where the members' app is
 */
export async function pinDevnet(
  context: CommandContext,
  file: string,
  members: string,
  membersOrigin: string,
): Promise<void> {
  const { network, policy } = await context.policies.read(file)
  if (network !== 'devnet')
    throw new CommandRefusal('only the development chain has approvers whom everybody can be')
  if (!URL.canParse(membersOrigin)) throw new CommandRefusal(`${membersOrigin} is no address of an app`)
  const wanted = (members === '' ? [] : members.split(',')).map((each) => {
    const memberId = memberOf(each)
    const seed = createHash('sha256').update(`aval devnet approver ${memberId}`).digest()
    return { memberId, name: `operator ${memberId}`, codeSecret: encodeBase32(seed.subarray(0, 20)) }
  })
  const missing = wanted.filter(
    ({ memberId, codeSecret }) =>
      !policy.approvers.some((each) => each.memberId === memberId && each.codeSecret === codeSecret),
  )
  if (missing.length === 0 && policy.membersOrigin === membersOrigin) return
  const membersRpId = new URL(membersOrigin).hostname
  await context.policies.change(file, (before) =>
    missing.reduce<Policy>(
      (changed, { memberId, name, codeSecret }) =>
        withApprover(changed, memberId, name, (approver) => ({ ...approver, codeSecret })),
      { ...before, membersOrigin, membersRpId },
    ),
  )
}

export function memberOf(text: string): bigint {
  if (!/^[1-9]\d{0,18}$/.test(text)) throw new CommandRefusal(`${text} is no number of a member`)
  return BigInt(text)
}

/** @throws CommandRefusal for any answer but yes */
export async function confirm({ terminal }: CommandContext, question: string): Promise<void> {
  const answer = await terminal.ask(`${question}? Type "yes": `)
  if (answer?.trim() !== 'yes') throw new CommandRefusal('nothing was changed')
}
