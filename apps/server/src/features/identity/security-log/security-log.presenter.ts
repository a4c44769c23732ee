import { SECURITY_EVENT_KINDS, type SecurityEventItem } from '@aval/contract'
import { namesOfDevice } from '../../../core/device-names.rules.ts'

interface StoredEvent {
  readonly id: bigint
  readonly kind: string
  readonly at: Date
  readonly user_agent: string
  readonly ip: string
  readonly details: unknown
}

function detailOf(details: unknown, name: string): unknown {
  return typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

/** @throws where the database holds a kind that the contract does not know */
export function presentSecurityEvent(event: StoredEvent): SecurityEventItem {
  const { details } = event
  const kind = SECURITY_EVENT_KINDS.find((known) => known === event.kind)
  if (kind === undefined) throw new Error(`there is no security event ${event.kind}`)
  const count = detailOf(details, 'count')
  return {
    id: Number(event.id),
    kind,
    date: event.at.toISOString(),
    device: namesOfDevice(event.user_agent),
    ip: event.ip,
    previous: textOf(detailOf(details, 'previous')),
    next: textOf(detailOf(details, 'wallet')) ?? textOf(detailOf(details, 'email')),
    takes_back: detailOf(details, 'takes_back') === true,
    by_operator: detailOf(details, 'by') === 'operator',
    count: typeof count === 'number' ? count : null,
  }
}
