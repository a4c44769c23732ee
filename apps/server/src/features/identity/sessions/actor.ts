import { type Actor, deviceOf } from '../../../core/device.ts'
import { callerOf } from '../../../http/access.ts'

/** The signed-in member behind a request, and the device. */
export function actorOf(request: Parameters<typeof deviceOf>[0] & Parameters<typeof callerOf>[0]): Actor {
  const { memberId, sessionId } = callerOf(request)
  return { memberId, sessionId, device: deviceOf(request) }
}
