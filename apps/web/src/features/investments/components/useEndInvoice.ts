import { useRef } from 'react'
import toast from 'react-hot-toast'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useEndInvoiceMutation } from '../api.ts'

/** Completes an invoice from the balance, or cancels it; then says so, and calls `onEnded`. */
export function useEndInvoice(txnId: string, onEnded: (how: 'complete' | 'cancel') => void) {
  const sayFailed = useFailureToast()
  const [request, { isLoading: busy }] = useEndInvoiceMutation()
  const attempt = useRef(new AttemptKey())
  const end = useSingleFlight(async (how: 'complete' | 'cancel') => {
    const answer = await request({ txnId, how, idempotencyKey: attempt.current.for([txnId, how]) })
    attempt.current.settle((answer.error as Failure | undefined) ?? null)
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    toast.success(answer.data.message)
    onEnded(how)
  })
  return { end, busy }
}
