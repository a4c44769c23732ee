import type { InvoiceStatus } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import type { Failure } from '../../api/failure.ts'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { useInvoiceStatusQuery } from './api.ts'

/** Still takes money, as far as this device can tell. `left`: milliseconds to its end. */
export const isPayable = (status: InvoiceStatus, left: number): boolean =>
  status.is_open && left > 0 && Number(status.missing) > 0

/** When an invoice ends, by this device's clock: the server's may be a demo's, days ahead. */
export const deadlineOf = (status: InvoiceStatus, answeredAt: number): number =>
  answeredAt + status.timeout * 1000

const EVERY = 2000

/** Follows an invoice every two seconds while someone can see it, and lets go once its end is booked. */
export function useInvoice(txnId: string, onGone: () => void) {
  const dispatch = useDispatch()
  const visible = usePageVisible()
  const [done, setDone] = useState(false)
  const { data, error, refetch, fulfilledTimeStamp } = useInvoiceStatusQuery(txnId, {
    pollingInterval: done || !visible ? 0 : EVERY,
    refetchOnMountOrArgChange: true,
  })
  // The first answer decides: whole seconds would make it jump with each one.
  const deadline = useRef<number | null>(null)
  if (data !== undefined) deadline.current ??= deadlineOf(data, fulfilledTimeStamp ?? Date.now())
  // Known here, unknown there: the server has another database now.
  const isGone = (error as Failure | undefined)?.status === 404
  const wasVisible = useRef(visible)
  const seen = useRef<string | null>(null)

  useEffect(() => {
    if (visible && !wasVisible.current && !done) void refetch()
    wasVisible.current = visible
  }, [visible, done, refetch])

  const credited = data === undefined ? null : `${data.received} ${data.is_open}`
  const isOver = data?.is_open === false
  useEffect(() => {
    if (isOver) setDone(true)
    // Money moved without a press of a button: every figure on the page behind is stale now.
    if (seen.current !== null && credited !== seen.current)
      dispatch(client.util.invalidateTags([...CHANGED_BY_INVESTING]))
    if (credited !== null) seen.current = credited
  }, [credited, isOver, dispatch])

  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])

  return data === undefined ? undefined : { status: data, deadline: deadline.current ?? 0 }
}
