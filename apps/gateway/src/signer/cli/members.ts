/** Pins in the key file where the members' app is: a key of a member counts only for what was signed there. */
import type { Policy } from '../policy.rules.ts'
import { confirm, rpIdOf } from './approvers.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

export interface GivenMembers {
  readonly origin?: string | undefined
  readonly coolingHours?: string | undefined
}

/** Changes what is given, and shows both. */
export async function changeMembers(
  context: CommandContext,
  file: string,
  { origin, coolingHours }: GivenMembers,
): Promise<void> {
  const { network, policy } = await context.policies.read(file)
  const rpId = origin === undefined ? policy.membersRpId : rpIdOf(origin, network)
  const hours = coolingHours === undefined ? policy.memberKeyCoolingHours : hoursOf(coolingHours)
  const next = {
    membersOrigin: origin ?? policy.membersOrigin,
    membersRpId: rpId,
    memberKeyCoolingHours: hours,
  }
  if (policy.membersOrigin !== '' && next.membersOrigin !== policy.membersOrigin) {
    context.terminal.say(
      'Passkeys are of the address that they were made at: members who pinned one have to recover it.',
    )
    await confirm(
      context,
      `Take what members sign at ${next.membersOrigin}, and no longer at ${policy.membersOrigin}`,
    )
  }
  const isChanged = origin !== undefined || coolingHours !== undefined
  showMembers(
    context,
    isChanged ? await context.policies.change(file, (before) => ({ ...before, ...next })) : policy,
  )
}

function hoursOf(text: string): number {
  if (!/^(0|[1-9]\d{0,2})$/.test(text)) throw new CommandRefusal(`${text} is no whole number of hours`)
  return Number.parseInt(text, 10)
}

function showMembers({ terminal }: CommandContext, policy: Policy): void {
  terminal.say(`version ${policy.version}`)
  terminal.say(`members sign at ${policy.membersOrigin || 'no app yet: no key of a member is sealed'}`)
  terminal.say(`a key in the place of a lost one moves nothing for ${policy.memberKeyCoolingHours} hours`)
}
