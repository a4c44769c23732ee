import { useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { type Creation, useAddPasskeyMutation, useBeginPasskeyMutation } from './api.ts'
import type { ProofState } from './useProof.ts'

/**
 * Adds a passkey: the server begins it against password and code, the device makes it, the server stores it. Where the
 * person closes the device's window, the beginning is kept: a code is good once, and is not asked for again.
 */
export function useNewPasskey(proof: ProofState, onDone: () => void) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [begin] = useBeginPasskeyMutation()
  const [add] = useAddPasskeyMutation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const begun = useRef<{ creation: Creation; until: number } | null>(null)

  const fail = (failure: Failure) => {
    if (!proof.refused(failure)) setProblem(sayFailure(failure))
  }
  const beginning = async (): Promise<Creation | null> => {
    if (begun.current !== null && begun.current.until > Date.now()) return begun.current.creation
    const typed = proof.read()
    if (typed === null) return null
    const answer = await begin(typed)
    if (answer.error !== undefined) {
      fail(answer.error as Failure)
      return null
    }
    const creation = answer.data
    begun.current = { creation, until: Date.now() + creation.timeout * 0.8 }
    return creation
  }
  const make = async (name: string) => {
    const { makePasskey } = await import('../../../api/passkeys.ts')
    const creation = await beginning()
    if (creation === null) return
    const made = await makePasskey(creation)
    if (made.state === 'cancelled') return setProblem(t('passkeys.cancelled'))
    if (made.state === 'failed') return setProblem(t(`passkeys.failure.${made.why}`))
    // Whatever comes of it, its challenge is over.
    begun.current = null
    const answer = await add({ credential: made.credential, name })
    if (answer.error !== undefined) return fail(answer.error as Failure)
    toast.success(t('passkeys.added', { name: answer.data.name }))
    onDone()
  }
  const submit = useSingleFlight(async (name: string) => {
    setProblem(null)
    setBusy(true)
    try {
      await make(name)
    } catch {
      // The code of the last step did not arrive.
      setProblem(t('passkeys.failure.failed'))
    } finally {
      setBusy(false)
    }
  })
  return { busy, problem, submit }
}
