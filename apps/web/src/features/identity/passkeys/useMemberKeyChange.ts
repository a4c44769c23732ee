import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { useMemberSignature } from '../../../api/memberKey.ts'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { type MemberKeyKind, useSubmitMemberKeyMutation } from './api.ts'
import type { ProofState } from './useProof.ts'

interface Change {
  readonly kind: MemberKeyKind
  /** The passkey that counts from now on; null for none. */
  readonly credentialId: string | null
}

/** Has the passkey sign a change of which one moves the money, and hands it in. */
export function useMemberKeyChange(memberId: number, proof: ProofState, onDone: () => void) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const ask = useMemberSignature()
  const [send] = useSubmitMemberKeyMutation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  /** At the field that it is about; only a lost one asks for password and code. */
  const fail = (failure: Failure, kind: MemberKeyKind) => {
    if (kind !== 'recovered' || !proof.refused(failure)) setProblem(sayFailure(failure))
  }
  const change = async ({ kind, credentialId }: Change) => {
    const typed = kind === 'recovered' ? proof.read() : {}
    if (typed === null) return
    // Where none counts yet, or the one that did is lost, the new one signs for itself.
    const by = kind === 'on' || kind === 'recovered' ? (credentialId ?? undefined) : undefined
    const signed = await ask(memberId, { what: 'key', credentialId }, by)
    if (signed.state === 'refused') return fail(signed.failure, kind)
    if (signed.state === 'cancelled') return setProblem(t('memberKey.cancelled'))
    if (signed.state === 'failed') return setProblem(t('memberKey.failed'))
    const { version } = signed.parts
    const key = credentialId === null ? {} : { credential_id: credentialId }
    const answer = await send({ kind, version, ...key, passkey: signed.proof, ...typed })
    if (answer.error !== undefined) return fail(answer.error as Failure, kind)
    toast.success(answer.data.message)
    onDone()
  }
  const submit = useSingleFlight(async (wanted: Change) => {
    setProblem(null)
    setBusy(true)
    try {
      await change(wanted)
    } finally {
      setBusy(false)
    }
  })
  return { busy, problem, submit }
}
