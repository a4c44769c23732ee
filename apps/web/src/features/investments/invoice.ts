import type { InvoiceStatus } from '@aval/contract'
import { useEffect, useRef } from 'react'
import type { Failure } from '../../api/failure.ts'
import { useInvoiceStatusQuery } from './api.ts'

/** Still takes money, as far as this device can tell. `left`: milliseconds to its end. */
export const isPayable = (status: InvoiceStatus, left: number): boolean =>
  status.is_open && left > 0 && Number(status.missing) > 0

/** Its state, as far as this device can tell: what was still awaited when its time ended is over before the server says so. */
export const stateAt = ({ state, is_open }: InvoiceStatus, left: number): InvoiceStatus['state'] =>
  is_open && left <= 0 && (state === 'waiting' || state === 'partly_paid') ? 'expired' : state

/** When an invoice ends, by this device's clock: the server's may be a demo's, days ahead. One whose time is over ended long ago. */
export const deadlineOf = ({ timeout }: Pick<InvoiceStatus, 'timeout'>, answeredAt: number): number =>
  timeout > 0 ? answeredAt + timeout * 1000 : 0

/** How an invoice stands, and when it ends; the stream of events keeps it fresh. `onGone`: nobody knows it any more. */
export function useInvoice(txnId: string, onGone: () => void) {
  const query = useInvoiceStatusQuery(txnId, { refetchOnMountOrArgChange: true })
  const { data, error, fulfilledTimeStamp } = query
  // The first answer decides: whole seconds would make it jump with each one.
  const deadline = useRef<number | null>(null)
  if (data !== undefined) deadline.current ??= deadlineOf(data, fulfilledTimeStamp ?? Date.now())
  // Known here, unknown there: the server has another database now.
  const isGone = (error as Failure | undefined)?.status === 404
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])
  return { query: isGone ? { ...query, error: undefined } : query, deadline: deadline.current ?? 0 }
}
