import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../api/failure.ts'
import { newIdempotencyKey } from '../../api/idempotency.ts'
import { ConfirmContext, type Outcome } from './confirm.ts'
import { useElevateMutation } from './members.ts'

const isNotElevated = (outcome: Outcome<unknown>) =>
  (outcome.error as Failure | undefined)?.code === 'elevation_required'

/**
 * For calls that a code of the last quarter of an hour stands for: sends, and where there was none, asks for one and sends again.
 * Who goes back gets the refusal.
 *
 * @throws outside of ConfirmProvider
 */
export function useElevated() {
  const { t } = useTranslation('console/shared')
  const confirm = useContext(ConfirmContext)
  if (confirm === null) throw new Error('codes are asked for inside of ConfirmProvider')
  const [elevate] = useElevateMutation()
  return async <Data>(send: () => Promise<Outcome<Data>>): Promise<Outcome<Data>> => {
    const refused = await send()
    if (!isNotElevated(refused)) return refused
    // One key for the dialog: a code whose answer was lost can be sent again.
    const idempotencyKey = newIdempotencyKey()
    const elevated = await confirm({ what: t('elevate'), send: (otp) => elevate({ otp, idempotencyKey }) })
    if (elevated === null) return refused
    return elevated.error === undefined ? send() : { error: elevated.error }
  }
}
