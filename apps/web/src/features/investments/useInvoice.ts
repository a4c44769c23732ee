import type { InvoiceStatus } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { CHANGED_BY_INVESTING, client } from '../../api/client.ts'
import type { Failure } from '../../api/failure.ts'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { useInvoiceStatusQuery } from './api.ts'
import { forgetInvoice } from './openInvoice.ts'

const EVERY = 2000
const FINAL: readonly InvoiceStatus['state'][] = ['paid', 'expired']

/** Follows an invoice every two seconds while someone can see it, and lets go once nothing more can happen. */
export function useInvoice(txnId: string, onGone: () => void): InvoiceStatus | undefined {
  const dispatch = useDispatch()
  const visible = usePageVisible()
  const [done, setDone] = useState(false)
  const { data, error, refetch } = useInvoiceStatusQuery(txnId, {
    pollingInterval: done || !visible ? 0 : EVERY,
    refetchOnMountOrArgChange: true,
  })
  const state = data?.state
  // Kept here, unknown there: the server has another database now.
  const isGone = (error as Failure | undefined)?.status === 404
  const wasVisible = useRef(visible)

  useEffect(() => {
    if (visible && !wasVisible.current && !done) void refetch()
    wasVisible.current = visible
  }, [visible, done, refetch])

  useEffect(() => {
    if (state === undefined || !FINAL.includes(state)) return
    setDone(true)
    forgetInvoice()
    // Paid without a press of a button: every figure on the page behind is stale now.
    if (state === 'paid') dispatch(client.util.invalidateTags([...CHANGED_BY_INVESTING]))
  }, [state, dispatch])

  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])

  return data
}
