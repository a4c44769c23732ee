import type { SessionItem } from '@aval/contract'
import { namesOfDevice } from '../../../core/device-names.rules.ts'

interface Session {
  readonly id: string
  readonly user_agent: string
  readonly ip: string
  readonly started_at: Date
  readonly used_at: Date
  readonly second_factor: boolean
}

export function presentSession(session: Session, current: string): SessionItem {
  return {
    id: session.id,
    current: session.id === current,
    device: namesOfDevice(session.user_agent),
    ip: session.ip,
    started_at: session.started_at.toISOString(),
    last_used_at: session.used_at.toISOString(),
    two_factor: session.second_factor,
  }
}
