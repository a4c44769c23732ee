import type { Actor } from '../../../core/device.ts'
import type { MemberCall } from '../../../http/call.ts'

/** The signed-in member behind a call, and the device. */
export function actorOf({ caller, device }: MemberCall): Actor {
  const { memberId, sessionId } = caller
  return { memberId, sessionId, device }
}
